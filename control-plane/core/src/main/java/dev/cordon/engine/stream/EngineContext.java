package dev.cordon.engine.stream;

import dev.cordon.bindings.Kernel;
import java.nio.ByteBuffer;

/**
 * What all sandboxes of an engine share.
 *
 * @param kernel  system calls
 * @param reactor the thread that waits for descriptors
 * @param buffer  a direct one, used on the reactor's thread alone
 */
public record EngineContext(Kernel kernel, Reactor reactor, ByteBuffer buffer) {}
