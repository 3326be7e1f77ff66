package dev.cordon.quota;

import dev.cordon.policy.RateLimit;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Lets so many through in a time, counted by key, for all processes that have the same state directory: a command line that is called
 * again and again has no memory of its own. What it keeps is one small file, replaced as a whole under a lock; buckets that are full again
 * are forgotten. Time is the wall clock's. Safe for many threads.
 */
public final class ToolRates {
    private static final int MOST_KEYS = 10_000;
    private static final int FIELDS = 6;

    private record Way(RateLimit rate, TokenBucket bucket) {}

    private final Path file;
    private final LongSupplier clock;

    /** Keeps its count in a directory, which is made when something passes. */
    public ToolRates(Path directory) {
        this(directory, () -> Math.multiplyExact(System.currentTimeMillis(), 1_000_000L));
    }

    ToolRates(Path directory, LongSupplier clock) {
        this.file = directory.resolve("tool-rates");
        this.clock = clock;
    }

    /**
     * Empty when the caller may pass; otherwise when to try again.
     *
     * @throws IOException when the count cannot be kept; nobody passes then
     */
    public Optional<Duration> pass(String key, RateLimit rate) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        // A lock of a file is the process's, not the thread's.
        synchronized (ToolRates.class) {
            try (FileChannel lock = FileChannel.open(
                            file.resolveSibling("tool-rates.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    var held = lock.lock()) {
                return held.isValid() ? counted(key, rate) : Optional.of(rate.per());
            }
        }
    }

    private Optional<Duration> counted(String key, RateLimit rate) throws IOException {
        long now = clock.getAsLong();
        Map<String, Way> ways = read();
        Way known = ways.get(key);
        if (known == null && ways.size() >= MOST_KEYS) {
            return Optional.of(rate.per());
        }
        TokenBucket bucket = known == null ? new TokenBucket(rate, now) : known.bucket();
        bucket.refill(rate, now);
        boolean passed = bucket.take();
        ways.put(key, new Way(rate, bucket));
        ways.values().removeIf(way -> {
            way.bucket().refill(way.rate(), now);
            return way.bucket().isFull();
        });
        write(ways);
        return passed ? Optional.empty() : Optional.of(bucket.untilNext());
    }

    /** A line that is damaged, which only another hand can have done, is a bucket that nobody took from. */
    private Map<String, Way> read() throws IOException {
        Map<String, Way> ways = new TreeMap<>();
        if (!Files.exists(file)) {
            return ways;
        }
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split(" ", -1);
            if (fields.length == FIELDS) {
                add(ways, fields);
            }
        }
        return ways;
    }

    private static void add(Map<String, Way> ways, String[] fields) {
        String key;
        RateLimit rate;
        TokenBucket bucket;
        try {
            key = URLDecoder.decode(fields[0], StandardCharsets.UTF_8);
            rate = new RateLimit(
                    Integer.parseInt(fields[1]),
                    Duration.ofNanos(Long.parseLong(fields[2])),
                    Integer.parseInt(fields[3]));
            bucket = new TokenBucket(rate, Long.parseLong(fields[4]), Long.parseLong(fields[5]));
        } catch (IllegalArgumentException damaged) {
            return;
        }
        ways.put(key, new Way(rate, bucket));
    }

    private void write(Map<String, Way> ways) throws IOException {
        List<String> lines = new ArrayList<>();
        ways.forEach((key, way) -> lines.add(String.join(
                " ",
                URLEncoder.encode(key, StandardCharsets.UTF_8),
                Integer.toString(way.rate().count()),
                Long.toString(way.rate().per().toNanos()),
                Integer.toString(way.rate().burst()),
                Long.toString(way.bucket().parts()),
                Long.toString(way.bucket().last()))));
        Path fresh = file.resolveSibling("tool-rates.new");
        Files.write(fresh, lines);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
