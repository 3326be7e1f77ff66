package dev.cordon.seccomp.compile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Makes a filter of libseccomp shorter without changing any of its answers. libseccomp asks for each system call by its number; most
 * neighbours have one answer, so that a question for the range serves them all. The kernel compiles a filter each time it is loaded, for
 * every sandbox, and takes as long as the filter is.
 *
 * <p>The program is read as a graph: equal parts become one, what loads or compares nothing is left out, and the comparisons of the number are
 * asked anew for ranges. A program of another form than libseccomp's is left alone.
 */
final class RangedFilter {
    private static final int BYTES = 8;
    private static final int LOAD_WORD = 0x20;
    private static final int AND = 0x54;
    private static final int JUMP = 0x05;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_GREATER = 0x25;
    private static final int JUMP_GREATER_OR_EQUAL = 0x35;
    private static final int JUMP_BITS = 0x45;
    private static final int RETURN = 0x06;

    /** Where struct seccomp_data has the number and the architecture. */
    private static final int NUMBER = 0;

    private static final int ARCHITECTURE = 4;
    private static final long NUMBERS = 1L << 32;

    /** A conditional jump's reach is 255; the jump that is put before it for one side moves the other side. */
    private static final int REACH = 253;

    /** More numbers of their own within one range are better asked for by halves. */
    private static final int MOST_EXCEPTIONS = 2;

    private static final int NOWHERE = -1;
    private static final int ZERO = -2;

    private record Instruction(int code, int onTrue, int onFalse, int k) {}

    /** An instruction, and what is in the accumulator before it. */
    private record Moment(int index, int held) {}

    /** A part of the graph: a return, an instruction and what follows it, or a question with two ways. */
    private record Part(int code, int k, int next, int otherwise) {}

    /** Numbers with one answer, from here up to the next range. */
    private record Range(long from, int answer) {}

    /** Numbers with one answer, but for some of them. */
    private record Piece(long from, int answer, List<Range> exceptions) {}

    /** The program has a form that is not known here. */
    private static final class UnknownForm extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final List<Instruction> program;
    private final List<Part> parts = new ArrayList<>();
    private final Map<Part, Integer> known = new HashMap<>();
    private final Map<Moment, Integer> read = new HashMap<>();

    /** The new program from its end, and where each part stands in it, counted from the end. */
    private final List<Instruction> backwards = new ArrayList<>();

    private final Map<Integer, Integer> places = new HashMap<>();

    private RangedFilter(List<Instruction> program) {
        this.program = program;
    }

    /** The shorter program; the program itself, if there is none. */
    static byte[] of(byte[] program) {
        RangedFilter filter = new RangedFilter(instructions(program));
        try {
            filter.place(filter.root());
        } catch (UnknownForm e) {
            return program;
        }
        return filter.backwards.size() * BYTES < program.length ? filter.bytes() : program;
    }

    private static List<Instruction> instructions(byte[] program) {
        ByteBuffer bytes = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        List<Instruction> instructions = new ArrayList<>();
        while (bytes.hasRemaining()) {
            instructions.add(new Instruction(
                    Short.toUnsignedInt(bytes.getShort()),
                    Byte.toUnsignedInt(bytes.get()),
                    Byte.toUnsignedInt(bytes.get()),
                    bytes.getInt()));
        }
        return instructions;
    }

    /** Load the architecture, compare it, load the number: so libseccomp begins. */
    private int root() throws UnknownForm {
        Instruction first = at(0);
        Instruction comparison = at(1);
        int begin = 2 + comparison.onTrue();
        if (!isLoad(first, ARCHITECTURE) || comparison.code() != JUMP_EQUAL || !isLoad(at(begin), NUMBER)) {
            throw new UnknownForm();
        }
        int numbers = part(LOAD_WORD, NUMBER, tree(pieces(ranges(begin + 1))), NOWHERE);
        int compared = part(JUMP_EQUAL, comparison.k(), numbers, graph(2 + comparison.onFalse(), ARCHITECTURE));
        return part(LOAD_WORD, ARCHITECTURE, compared, NOWHERE);
    }

    private Instruction at(int index) throws UnknownForm {
        if (index >= program.size()) {
            throw new UnknownForm();
        }
        return program.get(index);
    }

    private static boolean isLoad(Instruction instruction, int offset) {
        return instruction.code() == LOAD_WORD && instruction.k() == offset;
    }

    private List<Range> ranges(int start) throws UnknownForm {
        SortedSet<Long> borders = new TreeSet<>();
        borders.add(0L);
        borders(start, borders, new HashSet<>());
        List<Range> ranges = new ArrayList<>();
        for (long border : borders) {
            int answer = graph(decided(start, (int) border), NUMBER);
            if (ranges.isEmpty() || ranges.getLast().answer() != answer) {
                ranges.add(new Range(border, answer));
            }
        }
        return ranges;
    }

    /** The numbers at which an answer may change. */
    private void borders(int index, Set<Long> borders, Set<Integer> seen) throws UnknownForm {
        Instruction instruction = at(index);
        if (!seen.add(index) || !isAboutNumber(instruction)) {
            return;
        }
        switch (instruction.code()) {
            case JUMP -> borders(index + 1 + instruction.k(), borders, seen);
            case LOAD_WORD -> borders(index + 1, borders, seen);
            default -> {
                long k = Integer.toUnsignedLong(instruction.k());
                if (instruction.code() != JUMP_GREATER) {
                    borders.add(k);
                }
                if (instruction.code() != JUMP_GREATER_OR_EQUAL && k + 1 < NUMBERS) {
                    borders.add(k + 1);
                }
                borders(index + 1 + instruction.onTrue(), borders, seen);
                borders(index + 1 + instruction.onFalse(), borders, seen);
            }
        }
    }

    /** The instruction at which all questions about a number are answered. */
    private int decided(int start, int number) throws UnknownForm {
        int index = start;
        for (Instruction instruction = at(index); isAboutNumber(instruction); instruction = at(index)) {
            int k = instruction.k();
            index += 1
                    + switch (instruction.code()) {
                        case JUMP -> k;
                        case LOAD_WORD -> 0;
                        case JUMP_EQUAL -> way(instruction, number == k);
                        case JUMP_GREATER -> way(instruction, Integer.compareUnsigned(number, k) > 0);
                        default -> way(instruction, Integer.compareUnsigned(number, k) >= 0);
                    };
        }
        return index;
    }

    private static int way(Instruction jump, boolean taken) {
        return taken ? jump.onTrue() : jump.onFalse();
    }

    /** Whether the number is still what is looked at. */
    private static boolean isAboutNumber(Instruction instruction) throws UnknownForm {
        return switch (instruction.code()) {
            case JUMP, JUMP_EQUAL, JUMP_GREATER, JUMP_GREATER_OR_EQUAL -> true;
            case LOAD_WORD -> instruction.k() == NUMBER;
            case RETURN -> false;
            default -> throw new UnknownForm();
        };
    }

    /**
     * The graph of what follows from an instruction on.
     *
     * @param held which word is in the accumulator; {@link #ZERO} for none of it, {@link #NOWHERE} for something else
     */
    private int graph(int index, int held) throws UnknownForm {
        Moment moment = new Moment(index, held);
        Integer done = read.get(moment);
        if (done != null) {
            return done;
        }
        Instruction instruction = at(index);
        int next = index + 1;
        int k = instruction.k();
        int made = switch (instruction.code()) {
            case RETURN -> part(RETURN, k, NOWHERE, NOWHERE);
            case JUMP -> graph(next + k, held);
            case LOAD_WORD -> held == k ? graph(next, held) : load(k, graph(next, k));
            case AND -> masked(k, next, held);
            case JUMP_EQUAL, JUMP_GREATER, JUMP_GREATER_OR_EQUAL, JUMP_BITS ->
                held == ZERO
                        ? graph(next + way(instruction, isTrueOfZero(instruction)), held)
                        : question(
                                instruction.code(),
                                k,
                                graph(next + instruction.onTrue(), held),
                                graph(next + instruction.onFalse(), held));
            default -> throw new UnknownForm();
        };
        read.put(moment, made);
        return made;
    }

    /** Nobody needs the word where the next thing is another one, or the answer. */
    private int load(int offset, int next) {
        int code = parts.get(next).code();
        return code == LOAD_WORD || code == RETURN ? next : part(LOAD_WORD, offset, next, NOWHERE);
    }

    /** libseccomp asks for both halves of an argument, also where the kernel reads one. */
    private int masked(int mask, int next, int held) throws UnknownForm {
        if (mask == 0 || held == ZERO) {
            return graph(next, ZERO);
        }
        return mask == -1 ? graph(next, held) : part(AND, mask, graph(next, NOWHERE), NOWHERE);
    }

    private static boolean isTrueOfZero(Instruction question) {
        return switch (question.code()) {
            case JUMP_EQUAL, JUMP_GREATER_OR_EQUAL -> question.k() == 0;
            default -> false;
        };
    }

    private int question(int code, int k, int yes, int no) {
        return yes == no ? yes : part(code, k, yes, no);
    }

    private int part(int code, int k, int next, int otherwise) {
        return known.computeIfAbsent(new Part(code, k, next, otherwise), part -> {
            parts.add(part);
            return parts.size() - 1;
        });
    }

    /** Takes single numbers within a range for exceptions of it: each is one question then, not two. */
    private static List<Piece> pieces(List<Range> ranges) {
        List<Piece> pieces = new ArrayList<>();
        for (int index = 0; index < ranges.size(); index++) {
            Range range = ranges.get(index);
            List<Range> exceptions = new ArrayList<>();
            while (exceptions.size() < MOST_EXCEPTIONS
                    && index + 2 < ranges.size()
                    && ranges.get(index + 2).answer() == range.answer()
                    && ranges.get(index + 2).from() == ranges.get(index + 1).from() + 1) {
                exceptions.add(ranges.get(index + 1));
                index += 2;
            }
            pieces.add(new Piece(range.from(), range.answer(), exceptions));
        }
        return pieces;
    }

    private int tree(List<Piece> pieces) {
        int size = pieces.size();
        if (size > 1) {
            List<Piece> upper = pieces.subList(size / 2, size);
            return question(
                    JUMP_GREATER_OR_EQUAL,
                    (int) upper.getFirst().from(),
                    tree(upper),
                    tree(pieces.subList(0, size / 2)));
        }
        Piece piece = pieces.getFirst();
        int answer = piece.answer();
        for (Range exception : piece.exceptions()) {
            answer = question(JUMP_EQUAL, (int) exception.from(), exception.answer(), answer);
        }
        return answer;
    }

    /** Writes a part before what is written already, and all that it leads to before that. */
    private int place(int part) {
        Integer done = places.get(part);
        if (done != null) {
            return done;
        }
        Part written = parts.get(part);
        if (written.otherwise() != NOWHERE) {
            place(written.otherwise());
            place(written.next());
            bringNear(written.otherwise());
            bringNear(written.next());
            write(new Instruction(
                    written.code(), distance(written.next()), distance(written.otherwise()), written.k()));
        } else {
            if (written.next() != NOWHERE && place(written.next()) != backwards.size()) {
                write(new Instruction(JUMP, 0, 0, distance(written.next())));
            }
            write(new Instruction(written.code(), 0, 0, written.k()));
        }
        places.put(part, backwards.size());
        return backwards.size();
    }

    /** A return is written again where it is far away, to anything else there is a longer jump. */
    private void bringNear(int part) {
        if (distance(part) > REACH) {
            Part far = parts.get(part);
            write(
                    far.code() == RETURN
                            ? new Instruction(RETURN, 0, 0, far.k())
                            : new Instruction(JUMP, 0, 0, distance(part)));
            places.put(part, backwards.size());
        }
    }

    private void write(Instruction instruction) {
        backwards.add(instruction);
    }

    /** How many instructions are between the next one that is written and a part. */
    private int distance(int part) {
        return backwards.size() - Objects.requireNonNull(places.get(part));
    }

    private byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(backwards.size() * BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction instruction : backwards.reversed()) {
            bytes.putShort((short) instruction.code())
                    .put((byte) instruction.onTrue())
                    .put((byte) instruction.onFalse())
                    .putInt(instruction.k());
        }
        return bytes.array();
    }
}
