package dev.cordon.event;

import dev.cordon.result.Violation;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Refused calls of the tripwire set, of one name and one job. */
@Name("dev.cordon.Violation")
@Label("Violation")
@Category("Cordon")
@Description("A system call of the tripwire set that a job tried")
@StackTrace(false)
final class ViolationEvent extends Event {
    @Label("Job")
    String job = "";

    @Label("System call")
    String call = "";

    @Label("Count")
    long count;

    static void record(String job, Violation violation) {
        ViolationEvent event = new ViolationEvent();
        event.job = job;
        event.call = violation.syscall();
        event.count = violation.count();
        event.commit();
    }
}
