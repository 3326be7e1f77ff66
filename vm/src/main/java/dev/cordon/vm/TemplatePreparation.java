package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import java.io.IOException;

/**
 * What a guest does before the template is taken that machines are restored from, so that they need not do it any more. It holds nothing
 * that belongs to a job: every machine with this key gets it.
 *
 * @param key  tells one preparation from another: a hash, or nothing when there is nothing to do
 * @param work what is done
 */
public record TemplatePreparation(String key, Work work) {
    /** A guest that is up and waits. */
    public static final TemplatePreparation NONE = new TemplatePreparation("", channel -> {});

    /** Speaks with a guest. */
    @FunctionalInterface
    public interface Work {
        /**
         * Prepares the guest behind a channel that nobody else uses meanwhile; it is silent again when this returns.
         *
         * @throws IOException when the guest does not do as it is told; the machine is thrown away then
         */
        void prepare(Fd channel) throws IOException;
    }

    /** Refuses a key that cannot be part of a file's name. */
    public TemplatePreparation {
        if (!key.matches("[0-9a-f]{0,64}")) {
            throw new IllegalArgumentException("no key of a preparation: " + key);
        }
    }

    /** Whether there is anything to do. */
    public boolean isNone() {
        return key.isEmpty();
    }
}
