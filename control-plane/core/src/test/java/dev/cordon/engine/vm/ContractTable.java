package dev.cordon.engine.vm;

import dev.cordon.Cordon;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The table of the contract: the same jobs in a jail and in a machine, side by side. {@code ./gradlew contractTable} prints it. */
final class ContractTable {
    private ContractTable() {}

    static List<ContractCase> cases() {
        return Stream.of(ContractJobs.ends(), ContractJobs.limits(), ContractJobs.layers(), ContractSessions.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Tries every case; each row is printed when it is known. */
    static List<ContractRow> print(Cordon cordon, PrintStream out) throws Exception {
        out.println("| case | jail | vm |\n|---|---|---|");
        List<ContractRow> rows = new ArrayList<>();
        for (ContractCase each : cases()) {
            ContractRow row = each.row(cordon);
            out.println(row.shown());
            rows.add(row);
        }
        long listed = rows.stream().filter(row -> !row.listed().isEmpty()).count();
        long broken = rows.stream().filter(row -> !row.holds()).count();
        out.printf("%n%d cases; %d listed differences; %d that are not listed%n", rows.size(), listed, broken);
        return rows;
    }

    public static void main(String[] arguments) throws Exception {
        try (Cordon cordon = Machinery.open(2)) {
            if (!print(cordon, System.out).stream().allMatch(ContractRow::holds)) {
                System.exit(1);
            }
        }
    }
}
