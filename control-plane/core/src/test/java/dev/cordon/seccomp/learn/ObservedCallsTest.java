package dev.cordon.seccomp.learn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.wire.reply.Observed;
import dev.cordon.bindings.wire.request.ObserveRule;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.read.Profiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservedCallsTest {
    private static final FilterAction ALLOW = new FilterAction.Allow();
    private static final FilterAction ENOSYS = new FilterAction.Errno(Errno.ENOSYS);
    private static final FilterAction EPERM = new FilterAction.Errno(Errno.EPERM);

    private final ObservedCalls calls = new ObservedCalls();

    private static int number(String name) {
        return SystemCalls.require(name);
    }

    private void see(String name, long... arguments) {
        calls.add(call(name, false, arguments));
    }

    private static Observed call(String name, boolean more, long... arguments) {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(i < arguments.length ? arguments[i] : 0);
        }
        return new Observed(number(name), all, more, "test");
    }

    private Profile learnt() {
        return Profiles.parse("learnt", calls.profile("test").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void allowsWhatWasSeenAndNoMore() {
        see("read");
        see("openat", 0, 0, 0, 0);
        see("socket", 2, 1, 0);
        Profile profile = learnt();
        assertThat(profile.verdict(number("read"))).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("rename"))).isEqualTo(ENOSYS);
        assertThat(profile.verdict(number("openat"), 0, 0, 0, 04777))
                .describedAs("the mode does not count when nothing is created")
                .isEqualTo(ALLOW);
        assertThat(profile.verdict(number("openat"), 0, 0, 0x40, 0644))
                .describedAs("creating was not seen")
                .isEqualTo(EPERM);
        assertThat(profile.verdict(number("socket"), 2, 1, 0)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("socket"), 2, 0x80801, 0))
                .describedAs("the flags of the type are the default profile's business")
                .isEqualTo(ALLOW);
        assertThat(profile.verdict(number("socket"), 2, 2, 0)).isEqualTo(EPERM);
        assertThat(profile.verdict(number("socket"), 1, 1, 0)).isEqualTo(EPERM);
    }

    @Test
    void hasWhatEveryCommandNeeds() {
        Profile profile = learnt();
        for (String name : List.of("execve", "exit", "exit_group", "rt_sigreturn", "write")) {
            assertThat(profile.verdict(number(name))).describedAs(name).isEqualTo(ALLOW);
        }
    }

    @Test
    void allowsTheExactArgumentsOfWhatTheDefaultProfileRefuses() {
        see("socket", 16, 3, 0);
        see("ptrace");
        see("madvise", 0, 0, 12);
        Profile profile = learnt();
        assertThat(profile.verdict(number("socket"), 16, 3, 0)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("socket"), 16, 3, 15)).isEqualTo(EPERM);
        assertThat(profile.verdict(number("ptrace"), 1, 2, 3)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("madvise"), 0, 0, 12)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("madvise"), 0, 0, 4)).isEqualTo(EPERM);
        assertThat(calls.profile("test")).contains("refused by the default profile: is it needed?");
    }

    @Test
    void keepsTheRefusalsOfACallThatIsOtherwiseAllowed() {
        see("madvise", 0, 0, 4);
        see("setsockopt", 0, 6, 1);
        see("setsockopt", 0, 1, 26);
        Profile profile = learnt();
        assertThat(profile.verdict(number("madvise"), 0, 0, 8)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("madvise"), 0, 0, 12)).isEqualTo(EPERM);
        assertThat(profile.verdict(number("setsockopt"), 0, 1, 26))
                .describedAs("seen, though refused by default")
                .isEqualTo(ALLOW);
        assertThat(profile.verdict(number("setsockopt"), 0, 1, 50)).isEqualTo(EPERM);
        assertThat(profile.verdict(number("setsockopt"), 0, 6, 31)).isEqualTo(EPERM);
    }

    @Test
    void leavesOutWhatWasAnsweredInsteadOfLetThrough() {
        see("clone3");
        see("seccomp");
        Profile profile = learnt();
        assertThat(profile.verdict(number("clone3"))).isEqualTo(ENOSYS);
        assertThat(profile.verdict(number("seccomp"))).isEqualTo(ENOSYS);
        assertThat(calls.rules())
                .contains(
                        new ObserveRule(number("clone3"), Errno.ENOSYS, List.of(0L, 0L, 0L, 0L, 0L, 0L)),
                        new ObserveRule(number("seccomp"), Errno.EPERM, List.of(0L, 0L, 0L, 0L, 0L, 0L)));
    }

    @Test
    void takesAllOfTheDefaultProfilesCasesWhenTooManyWereSeen() {
        calls.add(call("ioctl", true, 0, 21505));
        Profile profile = learnt();
        assertThat(profile.verdict(number("ioctl"), 0, 21537)).isEqualTo(ALLOW);
        assertThat(profile.verdict(number("ioctl"), 0, 21522)).isNotEqualTo(ALLOW);
    }

    @Test
    void tellsArgumentsApartWhereTheDefaultProfileDoes() {
        assertThat(calls.rules())
                .contains(new ObserveRule(number("openat"), 0, List.of(0L, 0L, 0x400040L, 06000L, 0L, 0L)))
                .noneMatch(rule -> rule.syscall() == number("read"));
        assertThat(calls.compared(call("openat", false))).isEqualTo(4);
        assertThat(calls.compared(call("read", false))).isZero();
    }

    @Test
    void quotesWhatTheCommandLineHolds() {
        String text = calls.profile("say \"hi\" \\ \n \u001b");
        assertThat(text).contains("\"say \\\"hi\\\" \\\\ \\u000a \\u001b\"");
    }
}
