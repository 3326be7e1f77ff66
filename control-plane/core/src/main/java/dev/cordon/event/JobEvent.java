package dev.cordon.event;

import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A job from the request to its result, the refused ones too. No text of the job is in it. */
@Name("dev.cordon.Job")
@Label("Job")
@Category("Cordon")
@Description("A job from the request to its result")
@StackTrace(false)
public final class JobEvent extends Event {
    @Label("Id")
    String id = "";

    @Label("Isolation")
    @Description("The level that was applied; empty when nothing was started")
    String isolation = "";

    @Label("Outcome")
    String outcome = "";

    @Label("Start")
    @Description("From the request until the program ran")
    @Timespan(Timespan.NANOSECONDS)
    long start;

    @Label("CPU time")
    @Timespan(Timespan.NANOSECONDS)
    long cpu;

    @Label("Peak memory")
    @DataAmount
    long peakMemory;

    @Label("Violations")
    long violations;

    @Label("Escalated")
    boolean escalated;

    /** A job that was just submitted. */
    public static JobEvent begun() {
        JobEvent event = new JobEvent();
        event.begin();
        return event;
    }

    /** Its end. */
    public void ended(Result result) {
        end();
        if (!shouldCommit()) {
            return;
        }
        id = result.id().value();
        isolation = result.applied().isolation() == null
                ? ""
                : result.applied().isolation().label();
        outcome = result.outcome().label();
        start = result.times().started() == null
                ? 0
                : Duration.between(result.times().created(), result.times().started())
                        .toNanos();
        cpu = result.usage().userCpu().plus(result.usage().systemCpu()).toNanos();
        peakMemory = result.usage().peakMemory() == null
                ? 0
                : result.usage().peakMemory().bytes();
        escalated = result.escalation() != null;
        for (Violation violation : result.violations()) {
            violations += violation.count();
            ViolationEvent.record(id, violation);
        }
        commit();
    }
}
