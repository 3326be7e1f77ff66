package dev.cordon.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** One line for each member and each operation, with the same line end on every host; what is deeper stays on its line. */
final class PlanPrinter extends DefaultPrettyPrinter {
    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 2;

    private static final class Lines extends DefaultIndenter {
        private static final long serialVersionUID = 1L;

        Lines() {
            super("  ", "\n");
        }

        @Override
        public void writeIndentation(JsonGenerator json, int level) {
            if (level <= DEEPEST) {
                super.writeIndentation(json, level);
            } else {
                json.writeRaw(' ');
            }
        }
    }

    PlanPrinter() {
        _objectIndenter = new Lines();
        _arrayIndenter = new Lines();
    }

    @Override
    public DefaultPrettyPrinter createInstance() {
        return new PlanPrinter();
    }

    @Override
    public void writeEndObject(JsonGenerator json, int entries) {
        if (_nesting > DEEPEST) {
            _nesting--;
            json.writeRaw(" }");
        } else {
            super.writeEndObject(json, entries);
        }
    }

    @Override
    public void writeEndArray(JsonGenerator json, int values) {
        if (_nesting > DEEPEST) {
            _nesting--;
            json.writeRaw(" ]");
        } else {
            super.writeEndArray(json, values);
        }
    }
}
