package dev.cordon.bindings.wire.reply;

/** A message from the supervisor. */
public sealed interface Reply permits Ready, Failed, Started, Exited, ViolationNote, Filed, Closed, Observed, Written {}
