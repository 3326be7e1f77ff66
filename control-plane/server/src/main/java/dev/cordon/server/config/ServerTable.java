package dev.cordon.server.config;

import static dev.cordon.config.setting.SettingType.TEXT;
import static dev.cordon.config.setting.SettingType.TRUTH;
import static dev.cordon.config.setting.SettingType.count;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.config.setting.SettingType.Kind;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.server.store.TokenStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The table of the configuration file that the service reads. */
public final class ServerTable {
    static final String NAME = "server";

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    private static final int MOST_RUNNING = 100_000;
    private static final int MOST_WAITING = 1_000_000;
    private static final int MOST_REMEMBERED = 10_000_000;

    /** A path that may also be relative, or empty. */
    private static final SettingType<String> PLACE = SettingType.of(Kind.PATH, Function.identity());

    private static final SettingType<ByteSize> SIZE =
            SettingType.SIZE.where(size -> size.bytes() > 0, "is not above zero");
    private static final SettingType<Duration> TIME =
            SettingType.DURATION.where(Duration::isPositive, "is not above zero");
    private static final SettingType<Duration> LIFETIME = SettingType.DURATION
            .where(
                    time -> time.isPositive() && time.compareTo(TokenStore.LONGEST) <= 0,
                    "is not above zero and at most " + TokenStore.LONGEST.toDays() + "d")
            .remedy("give a time such as 90d, and make tokens that never expire with --expires never");

    static final Setting<String> SOCKET = setting("socket", PLACE, "", "The unix socket: cordon.sock in paths.run.");
    static final Setting<String> GROUP = setting("group", TEXT, "cordon", "Whose members may use the socket.");
    static final Setting<String> LISTEN = setting(
            "listen",
            TEXT,
            "",
            "HOST:PORT beside the socket; every request needs a token then. Beyond loopback TLS is needed.");
    static final Setting<String> HOSTS =
            setting("hosts", TEXT, "", "Further names, with commas between them, under which the port may be called.");
    static final Setting<String> TLS_KEYSTORE =
            setting("tls_keystore", PLACE, "", "A PKCS#12 file with the key and the certificates.");
    static final Setting<String> TLS_PASSWORD_FILE =
            setting("tls_password_file", PLACE, "", "The file with its password.");
    static final Setting<String> TOKEN_FILES = setting(
            "token_files",
            PLACE,
            "",
            "A directory of tokens, one file each, OWNER ROLE TOKEN and where wanted its end in a line: systemd's"
                    + " credentials where it hands some over. Read again at a reload.");
    static final Setting<Duration> TOKEN_LIFETIME = setting(
            "token_lifetime", LIFETIME, "90d", "How long a token lasts that is made without --expires, at most 3650d.");
    static final Setting<Integer> MAX_RUNNING =
            setting("max_running", count(1, MOST_RUNNING), "", "Jobs that run at once: 4 per processor, at least 8.");
    static final Setting<Integer> MAX_RUNNING_PER_OWNER = setting(
            "max_running_per_owner",
            count(1, MOST_RUNNING),
            "",
            "Jobs of one owner that run at once: seven eighths of all.");
    static final Setting<Integer> MAX_QUEUE =
            setting("max_queue", count(1, MOST_WAITING), "256", "Jobs that wait; more are refused with 429.");
    static final Setting<Integer> MAX_QUEUE_PER_OWNER =
            setting("max_queue_per_owner", count(1, MOST_WAITING), "", "Jobs of one owner that wait: half of all.");
    static final Setting<Integer> MAX_SANDBOXES =
            setting("max_sandboxes", count(1, MOST_RUNNING), "64", "Sandboxes that clients hold open at once.");
    static final Setting<Integer> MAX_SANDBOXES_PER_OWNER = setting(
            "max_sandboxes_per_owner",
            count(1, MOST_RUNNING),
            "",
            "Sandboxes that one owner holds open at once: seven eighths of all.");
    static final Setting<Duration> SANDBOX_IDLE = setting(
            "sandbox_idle",
            TIME,
            "1h",
            "After how long without work a sandbox ends that was opened without idle_timeout.");
    static final Setting<Duration> MAX_SANDBOX_IDLE =
            setting("max_sandbox_idle", TIME, "7d", "The most that idle_timeout may ask for.");
    static final Setting<Duration> WAIT = setting("wait", TIME, "30s", "The longest that a request waits for its job.");
    static final Setting<ByteSize> MAX_REQUEST = setting("max_request", SIZE, "4M", "The largest request.");
    static final Setting<ByteSize> MAX_OUTPUT =
            setting("max_output", SIZE, "16M", "The most output of one job that is kept, of each stream.");
    static final Setting<ByteSize> OUTPUT_MEMORY = setting(
            "output_memory",
            SIZE,
            "",
            "What the output of running jobs may take of the heap, six times the limit of each: three eighths of"
                    + " it.");
    static final Setting<ByteSize> MAX_ARTIFACTS =
            setting("max_artifacts", SIZE, "1G", "The most that collected files of all jobs take.");
    static final Setting<Integer> KEEP_JOBS =
            setting("keep_jobs", count(1, MOST_REMEMBERED), "10000", "How many ended jobs are remembered.");
    static final Setting<Duration> KEEP_FOR = setting("keep_for", TIME, "7d", "How long they are.");
    static final Setting<ByteSize> KEEP_OUTPUT = setting("keep_output", SIZE, "1G", "How much of their output.");
    static final Setting<Boolean> PROCESS_JOBS_AS_SERVICE_USER = setting(
            "process_jobs_as_service_user",
            TRUTH,
            "false",
            "Whether jobs of the level process may run as the service's own user.");

    /** All of it, in the order of the reference. */
    public static final SettingTable TABLE = new SettingTable(NAME, "The service.", DECLARED);

    private ServerTable() {}

    private static <T> Setting<T> setting(String key, SettingType<T> type, String standard, String text) {
        Setting<T> setting = new Setting<>(NAME + "." + key, type, standard, text);
        DECLARED.add(setting);
        return setting;
    }
}
