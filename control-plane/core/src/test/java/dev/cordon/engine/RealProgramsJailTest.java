package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs as people use them, with the limits of a job that asks for nothing: what works in a container works here. */
@Tag("jail")
final class RealProgramsJailTest {
    @OpenCordon
    private static Cordon cordon;

    /** A program, and what its last line of output is. */
    enum Program {
        BROWSER("chromium", "42", """
            chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --dump-dom \\
                'data:text/html,<p id="a"></p><script>a.textContent=6*7</script>' 2>/dev/null | grep -o '>42<' | tr -d '<>'
            """),
        COMPILER("gcc", "42 1", """
            printf '#include <pthread.h>\\n#include <stdio.h>\\nstatic void *f(void *p) { *(int *)p = 1; return 0; }
            int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0); printf("42 %%d\\\\n", x); }' >a.c
            gcc -O2 -pthread a.c -o a && ./a
            """),
        /** 60 MiB that live, and much more that does not: without its limit in sight a JVM collects too late. */
        JVM("java", "done", """
            cat >Garbage.java <<'END'
            import java.util.*;
            class Garbage {
                public static void main(String[] a) {
                    List<byte[]> live = new ArrayList<>();
                    for (int i = 0; i < 60; i++) live.add(new byte[1 << 20]);
                    long sum = 0;
                    for (int i = 0; i < 20_000; i++) sum += new byte[200_000].length;
                    System.out.println(live.size() == 60 && sum > 0 ? "done" : "");
                }
            }
            END
            java Garbage.java
            """),
        /** 120 MiB that live. */
        NODE("node", "done", """
            node -e 'const os = require("os"); os.cpus(); const live = [];
            for (let i = 0; i < 30; i++) live.push(new Array(512 * 1024).fill(i));
            for (let i = 0; i < 300; i++) new Array(512 * 1024).fill(i);
            console.log(live.length === 30 ? "done" : "")'
            """),
        NODE_PROCESSES("node", "42", """
            cat >a.mjs <<'END'
            import { Worker, isMainThread, parentPort } from 'node:worker_threads';
            import { execFileSync } from 'node:child_process';
            import http from 'node:http';
            if (isMainThread) {
                new Worker(new URL(import.meta.url)).once('message', n => {
                    const server = http.createServer((q, a) => a.end(execFileSync('echo', [String(n)]))).listen(0, '127.0.0.1', () =>
                        fetch('http://127.0.0.1:' + server.address().port).then(a => a.text()).then(t => { process.stdout.write(t); server.close(); }));
                });
            } else parentPort.postMessage(42);
            END
            node a.mjs
            """),
        PYTHON_PROCESSES("python3", "[0, 1, 4] b'shared'", """
            cat >a.py <<'END'
            import multiprocessing as m
            from multiprocessing import shared_memory
            def square(n): return n * n
            if __name__ == "__main__":
                memory = shared_memory.SharedMemory(create=True, size=16)
                memory.buf[:6] = b"shared"
                out = None
                for way in ("fork", "spawn", "forkserver"):
                    with m.get_context(way).Pool(2) as pool: out = pool.map(square, range(3))
                print(out, bytes(memory.buf[:6]))
                memory.close(); memory.unlink()
            END
            python3 a.py
            """),
        PYTHON_PLOT("python3", "PNG", """
            python3 -c 'import sys; sys.path.append("/usr/lib/python3/dist-packages")
            import matplotlib; matplotlib.use("Agg"); import matplotlib.pyplot as p; p.plot([1, 2]); p.savefig("a.png")' 2>/dev/null
            head -c 4 a.png | tail -c 3
            """),
        DATABASE("python3", "wal 1000", """
            python3 -c 'import sqlite3; c = sqlite3.connect("a.db"); j = c.execute("pragma journal_mode=wal").fetchone()[0]
            c.execute("create table t(n)"); c.executemany("insert into t values (?)", [(i,) for i in range(1000)]); c.commit()
            print(j, c.execute("select count(*) from t").fetchone()[0])'
            """),
        ARCHIVES("zstd", "same", """
            seq 100000 >a; tar cf - a | zstd -q | zstd -dq | tar xOf - | cmp - a && gzip -c a | gzip -d | cmp - a && echo same
            """),
        SCRIPTS(
                "perl",
                "42",
                "perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0); syswrite A, 42; sysread B, $x, 9; print"
                        + " \"$x\\n"
                        + "\"'\n"),
        /** Two files, a library and a test, by a makefile. */
        BUILD("g++", "passed 42", """
            printf 'int half(int);\\n' >half.h
            printf '#include "half.h"\\nint half(int n) { return n / 2; }\\n' >half.cc
            printf '#include "half.h"\\n#include <iostream>\\nint main() { std::cout << half(84) << std::endl; }\\n' >main.cc
            printf 'test: program\\n\\t@echo passed `./program`\\n' >Makefile
            printf 'program: main.o libhalf.a\\n\\t$(CXX) -o $@ $^\\nlibhalf.a: half.o\\n\\t$(AR) rc $@ $^\\n' >>Makefile
            make -j2
            """),
        REPOSITORY("git", "2 a change", """
            git init -q a && cd a && git config user.name a && git config user.email a@b
            echo 1 >file && git add file && git commit -qm first && git branch other
            echo 2 >file && git commit -qam 'a change' && git clone -q --no-local . ../b && cd ../b
            echo "$(git rev-list --count HEAD) $(git log -1 --format=%s)"
            """),
        CERTIFICATES("openssl", "a.pem: OK", """
            openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -keyout a.key -out a.pem 2>/dev/null
            openssl verify -CAfile a.pem a.pem
            """),
        /** The answer may be an error, which Node.js throws. */
        NODE_INTERFACES("node", "lives", """
            node -e 'try { require("os").networkInterfaces() } catch (e) { console.log(e.message) } console.log("lives")'
            """),
        PYTHON_INTERFACES("python3", "lives", """
            python3 -c 'import socket
            try: print(socket.if_nameindex())
            except OSError as e: print(e)
            print("lives")'
            """),
        DEBUGGER("gdb", "debug", "$2 = 42", """
            printf 'static int half(int n) {\\n    return n / 2;\\n}\\nint main(void) { return half(84) != 42; }\\n' >a.c
            gcc -g a.c -o a
            gdb -batch -nx -ex 'break half' -ex run -ex finish -ex 'print $' ./a | grep '^\\$'
            """),
        TRACER("strace", "debug", "+++ exited with 0 +++", "strace -f sh -c '/bin/echo a; true' 2>&1\n"),
        /** The leak is found by a process that stops all threads of the other. */
        SANITIZER("gcc", "debug", "LeakSanitizer: detected memory leaks", """
            printf '#include <stdlib.h>\\nint main(void) { void *volatile p = malloc(7); p = 0; return p != 0; }\\n' >a.c
            gcc -g -fsanitize=address a.c -o a && ./a 2>&1 | grep -o 'LeakSanitizer: detected.*'
            """),
        TYPESETTING("groff", "%!PS-Adobe-3.0", "echo hello | groff -Tps | head -n 1\n"),
        TRANSFER("curl", "served", """
            echo served >a; python3 -m http.server 8080 --bind 127.0.0.1 >/dev/null 2>&1 & p=$!
            until curl -sf http://127.0.0.1:8080/a; do sleep 0.1; done; kill $p
            """);

        private final String name;
        private final String profile;
        private final String says;
        private final String script;

        Program(String name, String says, String script) {
            this(name, "", says, script);
        }

        /** One that needs a profile. */
        Program(String name, String profile, String says, String script) {
            this.name = name;
            this.profile = profile;
            this.says = says;
            this.script = script;
        }
    }

    private static boolean isThere(String program) throws IOException {
        for (String directory : new String[] {"/usr/bin", "/usr/local/bin"}) {
            Path file = Path.of(directory, program);
            if (file.toFile().canExecute() && file.toRealPath().startsWith("/usr")) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @EnumSource
    void works(Program program) throws IOException {
        assumeTrue(isThere(program.name), "there is no " + program.name + " below /usr");
        Job job = Job.shell(program.script).timeout(Duration.ofMinutes(5));
        Result result = cordon.run(program.profile.isEmpty() ? job : job.profile(program.profile));
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText().strip().lines().reduce("", (_, line) -> line))
                .isEqualTo(program.says);
    }
}
