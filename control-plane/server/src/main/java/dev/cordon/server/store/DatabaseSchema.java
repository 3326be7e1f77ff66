package dev.cordon.server.store;

import java.util.List;

/** The tables. */
final class DatabaseSchema {
    static final List<String> TABLES = List.of(
            """
            CREATE TABLE IF NOT EXISTS jobs (
                id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, status INTEGER NOT NULL,
                labels TEXT NOT NULL, created INTEGER NOT NULL, finished INTEGER, body TEXT NOT NULL
            ) WITHOUT ROWID
            """,
            "CREATE INDEX IF NOT EXISTS jobs_of_owner ON jobs (owner, id)",
            "CREATE INDEX IF NOT EXISTS jobs_unfinished ON jobs (state) WHERE state <> 'finished'",
            """
            CREATE TABLE IF NOT EXISTS outputs (
                id TEXT PRIMARY KEY, owner TEXT NOT NULL, size INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE IF NOT EXISTS tokens (
                id TEXT PRIMARY KEY, hash BLOB NOT NULL, owner TEXT NOT NULL, role TEXT NOT NULL, note TEXT NOT NULL,
                created INTEGER NOT NULL, expires INTEGER
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE IF NOT EXISTS idempotency (
                owner TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, job TEXT NOT NULL, created INTEGER NOT NULL,
                PRIMARY KEY (owner, key)
            ) WITHOUT ROWID
            """,
            "CREATE INDEX IF NOT EXISTS keys_of_job ON idempotency (job)",
            """
            CREATE TABLE IF NOT EXISTS collected (
                number INTEGER PRIMARY KEY, job TEXT NOT NULL, owner TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
                size INTEGER NOT NULL, UNIQUE (job, path)
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS pieces (
                file INTEGER NOT NULL, place INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, place)
            )
            """,
            """
            CREATE TRIGGER IF NOT EXISTS collected_of_job AFTER DELETE ON jobs
            BEGIN DELETE FROM collected WHERE job = OLD.id; END
            """,
            """
            CREATE TRIGGER IF NOT EXISTS pieces_of_file AFTER DELETE ON collected
            BEGIN DELETE FROM pieces WHERE file = OLD.number; END
            """);

    private DatabaseSchema() {}
}
