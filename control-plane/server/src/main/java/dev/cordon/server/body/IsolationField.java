package dev.cordon.server.body;

import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The level that a request asks for: a text names it, an object its bounds. A level is never lowered, so that a text and the lower bound
 * mean the same.
 *
 * @param least    the lower bound
 * @param most     the upper bound
 * @param escalate whether the job may be run again in a machine where the policy says so
 */
record IsolationField(Optional<Isolation> least, Optional<Isolation> most, boolean escalate) {
    private static final String NAME = "isolation";

    static Job applied(RequestFields fields, Job job) {
        IsolationField field = read(fields, true);
        Job asked = job.escalate(field.escalate);
        asked = field.least.isPresent() ? asked.isolation(field.least.get()) : asked;
        return field.most.isPresent() ? asked.isolationAtMost(field.most.get()) : asked;
    }

    /** A sandbox is never run again. */
    static SandboxSpec applied(RequestFields fields, SandboxSpec sandbox) {
        IsolationField field = read(fields, false);
        SandboxSpec asked = field.least.isPresent() ? sandbox.isolation(field.least.get()) : sandbox;
        return field.most.isPresent() ? asked.isolationAtMost(field.most.get()) : asked;
    }

    private static IsolationField read(RequestFields fields, boolean escalation) {
        JsonNode value = fields.raw(NAME);
        if (value == null || value.isString()) {
            return new IsolationField(level(fields, NAME), Optional.empty(), true);
        }
        Optional<RequestFields> bounds = fields.object(NAME);
        return bounds.isEmpty()
                ? new IsolationField(Optional.empty(), Optional.empty(), true)
                : new IsolationField(
                        level(bounds.get(), "min"), level(bounds.get(), "max"), !escalation || escalates(bounds.get()));
    }

    private static boolean escalates(RequestFields bounds) {
        String word = bounds.text("escalate").orElse("on_violation");
        if (!word.equals("on_violation") && !word.equals("never")) {
            bounds.error("escalate", word, "is no known choice", "one of: on_violation, never");
        }
        return !word.equals("never");
    }

    private static Optional<Isolation> level(RequestFields fields, String name) {
        Optional<String> level = fields.text(name);
        try {
            return level.map(Isolation::parse);
        } catch (IllegalArgumentException e) {
            fields.error(name, level.orElse(""), "is no isolation level", "one of: process, jail, vm");
            return Optional.empty();
        }
    }
}
