package dev.cordon.server.route;

import dev.cordon.Sandbox;
import dev.cordon.SandboxFileException;
import dev.cordon.SandboxFiles;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.ArchiveSummary;
import dev.cordon.result.FileEntry;
import dev.cordon.result.InvalidArchive;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.PacedStream;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The files of a sandbox, one by one and as archives. Paths are resolved inside the sandbox, which also bounds what they hold. */
public record FileRoutes(SandboxDesk desk) {
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/sandboxes/{id}/files", RouteAccess.READ, ctx -> get(ctx, "."), "recursive"),
                ApiRoute.get(
                        "/v1/sandboxes/{id}/files/<path>",
                        RouteAccess.READ,
                        ctx -> get(ctx, ctx.pathParam("path")),
                        "recursive"),
                ApiRoute.put("/v1/sandboxes/{id}/files/<path>", RouteAccess.SUBMIT, this::put, "mode", "kind"),
                ApiRoute.delete("/v1/sandboxes/{id}/files/<path>", RouteAccess.SUBMIT, this::delete),
                ApiRoute.get("/v1/sandboxes/{id}/archive", RouteAccess.READ, this::pack, "path"),
                ApiRoute.put("/v1/sandboxes/{id}/archive", RouteAccess.SUBMIT, this::unpack, "path"));
    }

    private void get(Context ctx, String path) throws IOException {
        SandboxFiles files = files(ctx);
        boolean recursive = RequestFacts.flag(ctx, "recursive", false);
        try {
            FileEntry entry = files.stat(path);
            switch (entry.kind()) {
                case DIRECTORY -> FileListing.send(ctx, files, path, recursive);
                case FILE -> send(ctx, files, path, entry.size());
                case LINK, OTHER ->
                    throw RequestProblem.of(
                            ProblemCode.STATE_CONFLICT, "the path is neither a regular file nor a directory");
            }
        } catch (SandboxFileException e) {
            throw problem(e);
        }
    }

    private static void send(Context ctx, SandboxFiles files, String path, ByteSize size) throws IOException {
        try (InputStream content = files.open(path)) {
            ctx.status(200);
            ctx.res().setContentType("application/octet-stream");
            ctx.res().setHeader("Content-Disposition", "attachment");
            ctx.res().setContentLengthLong(size.bytes()); // a file that changes meanwhile is one that breaks off
            content.transferTo(ctx.res().getOutputStream());
            ctx.res().getOutputStream().flush();
        }
    }

    private void put(Context ctx) throws IOException {
        SandboxFiles files = files(ctx);
        String path = ctx.pathParam("path");
        try {
            if (directoryWanted(ctx)) {
                files.mkdir(path);
            } else {
                files.put(path, new PacedStream(ctx.req().getInputStream()), mode(ctx));
            }
        } catch (SandboxFileException e) {
            throw problem(e);
        }
        ctx.status(204);
    }

    private static boolean directoryWanted(Context ctx) {
        String kind = ctx.queryParam("kind");
        if (kind != null && !kind.equals("file") && !kind.equals("directory")) {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "kind is file or directory");
        }
        return "directory".equals(kind);
    }

    private static int mode(Context ctx) {
        String text = ctx.queryParam("mode");
        if (text == null) {
            return 0644;
        }
        if (!text.matches("0?[0-7]{3}")) {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "mode is three octal digits, such as 644");
        }
        return Integer.parseInt(text, 8);
    }

    private void delete(Context ctx) throws IOException {
        try {
            files(ctx).delete(ctx.pathParam("path"));
        } catch (SandboxFileException e) {
            throw problem(e);
        }
        ctx.status(204);
    }

    private void pack(Context ctx) throws IOException {
        SandboxFiles files = files(ctx);
        String path = directory(ctx);
        try {
            var _ = files.stat(path); // a path that is not there is a problem, not a broken archive
            ctx.status(200);
            ctx.res().setContentType("application/x-tar");
            files.getArchive(path, ctx.res().getOutputStream());
            ctx.res().getOutputStream().flush();
        } catch (SandboxFileException e) {
            throw problem(e);
        }
    }

    private void unpack(Context ctx) throws IOException {
        SandboxFiles files = files(ctx);
        try {
            ArchiveSummary summary = files.putArchive(
                    directory(ctx), new PacedStream(ctx.req().getInputStream()), ArchiveLimits.defaults());
            ObjectNode answer = JsonTree.object()
                    .put("files", summary.files())
                    .put("directories", summary.directories())
                    .put("bytes", summary.bytes().bytes())
                    .put("skipped", summary.skips());
            HttpAnswers.json(ctx, 200, answer);
        } catch (InvalidArchive e) {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        } catch (SandboxFileException e) {
            throw problem(e);
        }
    }

    private static String directory(Context ctx) {
        String path = ctx.queryParam("path");
        return path == null ? "/workspace" : path;
    }

    private SandboxFiles files(Context ctx) {
        Sandbox sandbox = desk.awake(ctx.pathParam("id"), RequestFacts.caller(ctx));
        return sandbox.files();
    }

    private static RequestProblem problem(SandboxFileException e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.error()) {
            case "ENOENT", "ENOTDIR" -> RequestProblem.of(ProblemCode.FILE_NOT_FOUND, detail);
            case "EXDEV", "ELOOP", "EACCES", "EPERM" -> RequestProblem.of(ProblemCode.PATH_OUTSIDE_WORKSPACE, detail);
            case "ENOSPC", "ENOMEM", "EFBIG", "EDQUOT" -> RequestProblem.of(ProblemCode.PAYLOAD_TOO_LARGE, detail);
            case "EINVAL", "ENAMETOOLONG", "" -> RequestProblem.of(ProblemCode.INVALID_REQUEST, detail);
            default -> RequestProblem.of(ProblemCode.STATE_CONFLICT, detail);
        };
    }
}
