package dev.cordon.seccomp;

import dev.cordon.bindings.filter.FilterAction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a filter as the kernel does, over a call that nobody makes. Knows the instructions that libseccomp emits, and fails at others. */
public final class BpfInterpreter {
    static final int X86_64 = 0xc000003e;
    public static final int I386 = 0x40000003;

    private static final int LOAD_WORD = 0x20;
    private static final int AND = 0x54;
    private static final int JUMP = 0x05;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_GREATER = 0x25;
    private static final int JUMP_GREATER_OR_EQUAL = 0x35;
    private static final int JUMP_BITS = 0x45;
    private static final int RETURN = 0x06;

    private final ByteBuffer program;

    public BpfInterpreter(BpfProgram program) {
        this(program.bytes());
    }

    public BpfInterpreter(byte[] program) {
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What the filter says of a native call. */
    public FilterAction verdict(int syscall, long... arguments) {
        return verdictOn(X86_64, syscall, arguments);
    }

    /** What it says of a call by some architecture's table. */
    public FilterAction verdictOn(int architecture, int syscall, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(syscall).putInt(architecture).putLong(0);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        return action(run(data));
    }

    private int run(ByteBuffer data) {
        int accumulator = 0;
        int at = 0;
        while (true) {
            int code = Short.toUnsignedInt(program.getShort(at * 8));
            int onTrue = Byte.toUnsignedInt(program.get(at * 8 + 2));
            int onFalse = Byte.toUnsignedInt(program.get(at * 8 + 3));
            int k = program.getInt(at * 8 + 4);
            at++;
            switch (code) {
                case LOAD_WORD -> accumulator = data.getInt(k);
                case AND -> accumulator &= k;
                case JUMP -> at += k;
                case JUMP_EQUAL -> at += accumulator == k ? onTrue : onFalse;
                case JUMP_GREATER -> at += Integer.compareUnsigned(accumulator, k) > 0 ? onTrue : onFalse;
                case JUMP_GREATER_OR_EQUAL -> at += Integer.compareUnsigned(accumulator, k) >= 0 ? onTrue : onFalse;
                case JUMP_BITS -> at += (accumulator & k) != 0 ? onTrue : onFalse;
                case RETURN -> {
                    return k;
                }
                default -> throw new IllegalStateException("instruction " + (at - 1) + " has the unknown code " + code);
            }
        }
    }

    private static FilterAction action(int returned) {
        int data = returned & 0xffff;
        return switch (returned & 0xffff0000) {
            case 0x7fff0000 -> new FilterAction.Allow();
            case 0x7ffc0000 -> new FilterAction.Log();
            case 0x7fc00000 -> new FilterAction.Notify();
            case 0x00050000 -> new FilterAction.Errno(data);
            case 0x00030000 -> new FilterAction.Trap();
            case 0x00000000 -> new FilterAction.KillThread();
            case 0x80000000 -> new FilterAction.KillProcess();
            default -> throw new IllegalStateException("unknown return value 0x" + Integer.toHexString(returned));
        };
    }
}
