/**
 * What happened, provable afterwards: JSON lines, each with the SHA-256 of the one before it.
 *
 * <p>Files of the log's directory, all of them closed to others:
 *
 * <ul>
 *   <li>{@code audit-000000000001.jsonl}: records, named after the sequence number of its first one; a full file is followed by another,
 *       and the chain goes on in it. The oldest are removed when there is more than the log may hold, and the first record of the
 *       next file names them.
 *   <li>{@code audit.head}: up to where the log was written, and up to where it is on the disk.
 *   <li>{@code audit.lock}: locked (fcntl) while one of the processes that share the log writes.
 *   <li>{@code service.lock}: locked by the one service that writes the log, with who that is.
 *   <li>{@code torn-...}: the beginning of a record whose writer died; no result had been reported for it.
 * </ul>
 *
 * <p>The chain shows changes inside the log. Its end is held by {@code audit.head}, which somebody who may write the log may write, too:
 * against such a person there are heads in the journal, which a service sends there, and signatures, against whoever has not the key.
 */
@NullMarked
package dev.cordon.audit;

import org.jspecify.annotations.NullMarked;
