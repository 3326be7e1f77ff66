package dev.cordon.server.job;

import dev.cordon.Cordon;
import dev.cordon.config.MemorySettings;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of the languages. Each interpreter is asked once, in a jail like any other program, for the host and for each image; the
 * answer is kept until the stamp of the host or the image is another. Nobody waits for long: what is not known yet is said to be so.
 */
public final class LanguageRuntimes {
    /** Whose the jobs are that the service runs for itself, here and for its doctor. */
    public static final String OWNER = MemorySettings.SERVICE;

    private static final Logger LOG = LoggerFactory.getLogger(LanguageRuntimes.class);
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)+");
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final String NOT_YET = "is being found out; ask again in a moment";

    /**
     * What is known of one.
     *
     * @param number the version; null when it is not known
     * @param reason why it is not; null when it is
     */
    public record Version(@Nullable String number, @Nullable String reason) {}

    /** Where programs are from. */
    private record Root(@Nullable String image, String stamp) {}

    private record Asked(Root root, CompletableFuture<Version> version, long time) {
        /** An answer without a version may have been a bad moment's. */
        boolean holds(Root now) {
            boolean failed = version.isDone()
                    && (version.isCompletedExceptionally() || version.join().number() == null);
            return root.equals(now) && !(failed && System.nanoTime() - time > AGAIN.toNanos());
        }
    }

    private final Cordon cordon;
    private final Map<String, Asked> known = new ConcurrentHashMap<>();
    /** One at a time: nobody's jobs wait for this. */
    private final ScopedLock turns = new ScopedLock();

    /** Asks in jails of this. */
    public LanguageRuntimes(Cordon cordon) {
        this.cordon = cordon;
    }

    /**
     * The version of a language.
     *
     * @param image the image that it is in; null for the host's own
     * @param stamp changes when the host or the image does
     * @param wait  how long the caller has
     */
    public Version of(Language language, @Nullable String image, String stamp, Duration wait)
            throws InterruptedException {
        Root root = new Root(image, stamp);
        Asked asked = known.compute(
                language.label() + " " + image,
                (_, before) -> before != null && before.holds(root)
                        ? before
                        : new Asked(root, ask(language, image), System.nanoTime()));
        try {
            return asked.version().get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Version(null, NOT_YET);
        } catch (ExecutionException e) {
            return new Version(null, "could not be found out; the service's log tells more");
        }
    }

    private CompletableFuture<Version> ask(Language language, @Nullable String image) {
        CompletableFuture<Version> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("cordon-runtimes").start(() -> {
            try (ScopedLock.Held _ = turns.hold()) {
                answer.complete(asked(language, image));
            } catch (RuntimeException | Error e) {
                LOG.warn("the version of {} cannot be found out", language.label(), e);
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private Version asked(Language language, @Nullable String image) {
        Job job = Job.argv(language.interpreter().getFirst(), "--version")
                .profile(language.profile())
                .timeout(LONGEST)
                .owner(OWNER)
                .label("cordon/purpose", "runtimes");
        Result result = cordon.run(image == null ? job : job.image(image));
        if (!(result.outcome() instanceof Outcome.Exited(int code)) || code != 0) {
            return new Version(null, reason(result));
        }
        Matcher number = NUMBER.matcher(result.stdout().text() + result.stderr().text());
        return number.find() ? new Version(number.group(), null) : new Version(null, "its --version names none");
    }

    private static String reason(Result result) {
        return switch (result.outcome()) {
            case Outcome.NotFound missing -> "there is no " + missing.command();
            case Outcome.Denied denied -> "the policy does not allow to ask it: " + String.join("; ", denied.reasons());
            default -> "its --version ended as " + result.outcome().label();
        };
    }
}
