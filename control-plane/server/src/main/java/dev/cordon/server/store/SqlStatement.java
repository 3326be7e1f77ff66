package dev.cordon.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A statement and the values of its question marks, in their order. */
final class SqlStatement {
    private final String text;
    private final @Nullable Object[] values;

    SqlStatement(String text, @Nullable Object... values) {
        this.text = text;
        this.values = values.clone();
    }

    /** What a row holds. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Changes rows, and tells how many. */
    int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepared(connection)) {
            return statement.executeUpdate();
        }
    }

    /** All rows that it finds. */
    <T> List<T> all(Connection connection, Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepared(connection);
                ResultSet rows = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        }
    }

    /** The first row; empty when there is none. */
    <T> Optional<T> first(Connection connection, Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepared(connection);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        }
    }

    /** The number in the first row; 0 when there is none. */
    long number(Connection connection) throws SQLException {
        return first(connection, row -> row.getLong(1)).orElse(0L);
    }

    private PreparedStatement prepared(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException | Error e) {
            statement.close();
            throw e;
        }
    }
}
