package dev.cordon.cli;

import dev.cordon.audit.SigningKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;

/** {@code cordon audit keygen}: makes a pair of keys that vouch for a log. */
final class AuditKeygenCommand implements Command {

    @Override
    public String name() {
        return "keygen";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Make an Ed25519 key that signs the audit log: FILE, which its owner alone may read, and FILE.pub.",
                "",
                "Set audit.signing_key to FILE, or hand it to the service as the systemd credential",
                "audit-signing-key; keep FILE.pub elsewhere, for cordon audit verify --key. The signatures prove the",
                "log against whoever does not have FILE; the service's own user has it.");
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public String operands() {
        return "FILE";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() != 1 || arguments.operands().getFirst().isEmpty()) {
            throw new UsageError("name one file for the private key, such as audit.key");
        }
        Path file = Path.of(arguments.operands().getFirst());
        try {
            stdio.print(SigningKey.generate(file) + "\n");
            return 0;
        } catch (FileAlreadyExistsException e) {
            throw new UsageError(e.getFile() + ": is there already; name another file");
        } catch (IOException e) {
            throw new UsageError("the key cannot be written: " + e.getMessage());
        }
    }
}
