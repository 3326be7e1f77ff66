package dev.cordon.job.limit;

/** A text that is not a value of the kind that was asked for, or a value out of its range. */
public final class InvalidText extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String rule;
    private final boolean quoted;

    private InvalidText(String message, String rule, boolean quoted) {
        super(message);
        this.rule = rule;
        this.quoted = quoted;
    }

    static InvalidText of(String text, String rule) {
        return new InvalidText("'" + DecimalQuantity.shorten(text) + "' " + rule, rule, true);
    }

    public static InvalidText of(String text, String rule, String remedy) {
        return new InvalidText("'" + DecimalQuantity.shorten(text) + "' " + rule + "; " + remedy, rule, true);
    }

    /** Of an amount; whoever shows the message shows the amount before it. */
    static InvalidText outOfRange(String rule) {
        return new InvalidText(rule, rule, false);
    }

    /** Whether the message shows the text before the rule. */
    public boolean quoted() {
        return quoted;
    }

    /** The rule that it breaks: a sentence whose subject is the text. */
    public String rule() {
        return rule;
    }
}
