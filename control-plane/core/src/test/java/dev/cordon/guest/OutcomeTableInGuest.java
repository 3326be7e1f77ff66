package dev.cordon.guest;

import java.nio.file.Files;
import java.nio.file.Path;

/** Prints the table of outcomes from inside the guest. */
final class OutcomeTableInGuest {
    private OutcomeTableInGuest() {}

    /** Arguments: a directory for what comes back. Ends with the code of the table, or 69 when this machine lacks something. */
    public static void main(String[] arguments) throws Exception {
        Path results = Path.of(arguments[0]);
        TestGuest guest = TestGuest.ofThisTree();
        String missing = guest.missing();
        if (!missing.isEmpty()) {
            System.err.println("the test guest needs what this machine lacks: " + missing);
            System.exit(69);
        }
        guest.build();
        Path staged = Files.createTempDirectory("cordon-guest");
        int code;
        try {
            Payload payload = Payload.stage(staged);
            payload.train(guest.runtime());
            String command = "exec " + payload.java("dev.cordon.engine.OutcomeTable") + " >/opt/results/outcomes.txt";
            code = guest.run(payload, new TestGuest.Order("root", "service", command), results, false);
        } finally {
            Payload.remove(staged);
        }
        Files.copy(results.resolve("outcomes.txt"), System.out);
        System.exit(code);
    }
}
