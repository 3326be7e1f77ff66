package dev.cordon.tool;

import java.util.regex.Pattern;

/** A text that a pattern may look at so often and no more: an operator's pattern and a hostile value together can take forever. */
final class BoundedText implements CharSequence {
    private static final int MOST_LOOKS = 2_000_000;

    private final String text;
    private int looks;

    private BoundedText(String text) {
        this.text = text;
    }

    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Whether the pattern is found in the text; not found when that takes too long. */
    static boolean find(Pattern pattern, String text) {
        try {
            return pattern.matcher(new BoundedText(text)).find();
        } catch (TooLong | StackOverflowError e) {
            return false;
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++looks > MOST_LOOKS) {
            throw new TooLong();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
