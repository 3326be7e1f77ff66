package dev.cordon.json;

import dev.cordon.result.LearntProfile;
import dev.cordon.result.ObservedCall;
import java.io.StringWriter;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What was learnt of a command, as {@code cordon learn --json} prints it. */
public final class LearntProfileJson {
    private LearntProfileJson() {}

    /** The object on one line; the profile is in it as the text of its file. */
    public static String text(LearntProfile learnt) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            JsonMembers fields = new JsonMembers(json);
            json.writeStartObject();
            fields.objects("refused_by_default", learnt.refusedByDefault(), call -> call(json, call));
            fields.objects("calls", learnt.calls(), call -> call(json, call));
            fields.text("profile", learnt.complete() ? learnt.profile() : null);
            json.writeName("result");
            ResultJson.write(json, learnt.result());
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void call(JsonGenerator json, ObservedCall call) {
        json.writeStringProperty("name", call.name());
        json.writeStringProperty("text", call.text());
        json.writeStringProperty("process", call.process());
        json.writeStringProperty("by_default", call.byDefault().name().toLowerCase(Locale.ROOT));
        json.writeBooleanProperty("learnt", call.learnt());
    }
}
