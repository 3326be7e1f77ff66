package dev.cordon.bindings.wire.plan;

import dev.cordon.bindings.wire.SetupStage;

/**
 * A failure that a test build of the supervisor makes on purpose; a release build refuses such a plan.
 *
 * @param stage where
 * @param action what happens there
 */
public record InjectedFault(SetupStage stage, FaultAction action) {}
