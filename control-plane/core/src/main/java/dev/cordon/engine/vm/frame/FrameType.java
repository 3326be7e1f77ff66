package dev.cordon.engine.vm.frame;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a frame is, in the numbers of {@code enum guest_type}. */
public enum FrameType {
    HELLO(1, Origin.GUEST),
    FAILED(2, Origin.GUEST),
    RENEWED(3, Origin.GUEST),
    GROUNDED(4, Origin.GUEST),
    USAGE(5, Origin.GUEST),
    GONE(6, Origin.GUEST),
    FROZEN(7, Origin.GUEST),
    COUNTED(8, Origin.GUEST),
    MESSAGE(16, Origin.BOTH),
    DATA(17, Origin.BOTH),
    END(18, Origin.BOTH),
    CREDIT(19, Origin.BOTH),
    CONTENT(32, Origin.HOST),
    RENEW(33, Origin.HOST),
    GROUND(34, Origin.HOST),
    ASK_USAGE(35, Origin.HOST),
    FREEZE(36, Origin.HOST),
    POWEROFF(37, Origin.HOST);

    private enum Origin {
        GUEST,
        HOST,
        BOTH
    }

    private static final Map<Integer, FrameType> BY_CODE = new HashMap<>();

    static {
        for (FrameType type : values()) {
            BY_CODE.put(type.code, type);
        }
    }

    private final int code;
    private final Origin origin;

    FrameType(int code, Origin origin) {
        this.code = code;
        this.origin = origin;
    }

    int code() {
        return code;
    }

    /** Whether a guest may send it. */
    boolean ofGuest() {
        return origin != Origin.HOST;
    }

    static @Nullable FrameType of(int code) {
        return BY_CODE.get(code);
    }
}
