package dev.cordon.cli.manual;

import java.util.List;
import java.util.Locale;

/** The text of a manual page, as man(7) reads it. */
final class RoffText {
    private final StringBuilder text = new StringBuilder();

    /** Begins a page: its title, and its name with one sentence. */
    RoffText(String name, int section, String sentence) {
        String title = quoted(name.toUpperCase(Locale.ROOT));
        text.append(".TH " + title + " \"" + section + "\" \"\" \"Cordon\" \"Cordon's Manual\"\n");
        heading("NAME");
        text.append(escaped(name)).append(" \\- ").append(escaped(sentence)).append('\n');
    }

    RoffText heading(String title) {
        text.append(".SH ").append(quoted(title)).append('\n');
        return this;
    }

    /** Lines that are filled. */
    RoffText paragraph(String... lines) {
        text.append(".PP\n");
        for (String line : lines) {
            text.append(escaped(line)).append('\n');
        }
        return this;
    }

    /** Lines as they stand. */
    RoffText verbatim(List<String> lines) {
        text.append(".nf\n");
        for (String line : lines) {
            text.append(line.isEmpty() ? "\\&" : escaped(line)).append('\n');
        }
        text.append(".fi\n");
        return this;
    }

    /** A term in bold, what stands behind it in italics, and what they mean. */
    RoffText term(String term, String value, String meaning) {
        text.append(".TP\n\\fB").append(escaped(term)).append("\\fR");
        text.append(value.isEmpty() ? "" : " \\fI" + escaped(value) + "\\fR").append('\n');
        text.append(escaped(meaning)).append('\n');
        return this;
    }

    /** Other pages, each as NAME(SECTION). */
    RoffText seeAlso(List<String> pages) {
        heading("SEE ALSO");
        for (int i = 0; i < pages.size(); i++) {
            String page = pages.get(i);
            int bracket = page.indexOf('(');
            text.append(".BR ").append(escaped(page.substring(0, bracket))).append(' ');
            text.append(page.substring(bracket)).append(i == pages.size() - 1 ? "\n" : " ,\n");
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    /** A backslash and a hyphen mean more to roff than to people, and a line that begins with a dot or a quote is a command. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
