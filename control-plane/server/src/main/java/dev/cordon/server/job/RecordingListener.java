package dev.cordon.server.job;

import dev.cordon.result.Artifact;
import dev.cordon.result.OutputListener;
import dev.cordon.server.store.ArtifactStore;

/** Hears what happens to a job: its events are for those who watch, its files are kept, and its slot is others' while it waits. */
record RecordingListener(ServedJob job, QueueEntry turn, ArtifactStore artifacts) implements OutputListener {
    private JobEventLog events() {
        return job.events();
    }

    /** Others have its slot while it waits for its owner's jobs. */
    @Override
    public void queued(Runnable giveUp) {
        job.waiting(giveUp);
        turn.rest();
    }

    @Override
    public void admitted() {
        turn.resume();
        job.requireWanted();
        job.starting();
    }

    @Override
    public void output(Source source, byte[] bytes) {
        events().started(job.id().value());
        events().output(source, bytes);
    }

    @Override
    public void escalated(String reason) {
        events().escalated(reason);
    }

    @Override
    public void warm() {
        events().warm();
    }

    @Override
    public void artifact(Artifact artifact, byte[] content) {
        artifacts.keep(job.id().value(), job.owner(), artifact, content);
        events().add(
                        "artifact",
                        JsonTree.object()
                                .put("path", artifact.path())
                                .put("size", artifact.size().bytes())
                                .put("sha256", artifact.sha256()));
    }
}
