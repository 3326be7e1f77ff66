package dev.cordon.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with places for parameters: {@code {name}} for one, {@code {name...}} alone for every item of a list, <code>{{</code> and
 * <code>}}</code> for braces themselves. What is put in is never read again.
 *
 * @param parts literal texts and places, in order
 */
record ArgumentTemplate(List<Part> parts) {
    /** A piece. */
    sealed interface Part {}

    /** As it stands. */
    record Literal(String text) implements Part {}

    /** A parameter's place. */
    record Place(String name, boolean spread) implements Part {}

    private static final Pattern PLACE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,63})(\\.\\.\\.)?");

    ArgumentTemplate {
        parts = List.copyOf(parts);
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when a brace is left open or holds no name
     */
    static ArgumentTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean brace = c == '{' || c == '}';
            if (brace && i + 1 < text.length() && text.charAt(i + 1) == c) {
                literal.append(c);
                i += 2;
            } else if (c == '{') {
                int end = text.indexOf('}', i);
                Matcher place = PLACE.matcher(end < 0 ? "" : text.substring(i + 1, end));
                if (!place.matches()) {
                    throw new IllegalArgumentException("has a brace without a parameter's name; write {{ for a brace");
                }
                add(parts, literal);
                parts.add(new Place(place.group(1), place.group(2) != null));
                i = end + 1;
            } else if (c == '}') {
                throw new IllegalArgumentException("closes a brace that was not opened; write }} for a brace");
            } else {
                literal.append(c);
                i++;
            }
        }
        add(parts, literal);
        if (parts.size() > 1 && parts.stream().anyMatch(part -> part instanceof Place place && place.spread())) {
            throw new IllegalArgumentException("has a list beside other text; give {name...} an element of its own");
        }
        return new ArgumentTemplate(parts);
    }

    private static void add(List<Part> parts, StringBuilder literal) {
        if (!literal.isEmpty()) {
            parts.add(new Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    List<Place> places() {
        return parts.stream()
                .filter(Place.class::isInstance)
                .map(Place.class::cast)
                .toList();
    }

    /** Whether what is put in decides how the text begins. */
    boolean beginsWithPlace() {
        return !parts.isEmpty() && parts.getFirst() instanceof Place;
    }

    /** Whether it is a parameter and nothing else. */
    boolean isPlace() {
        return parts.size() == 1 && beginsWithPlace();
    }

    /** Without any place, and this text. */
    boolean is(String text) {
        return parts.size() == 1
                && parts.getFirst() instanceof Literal literal
                && literal.text().equals(text);
    }

    String fill(Function<String, String> values) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Literal literal -> text.append(literal.text());
                case Place place -> text.append(values.apply(place.name()));
            }
        }
        return text.toString();
    }
}
