package dev.cordon.json;

import dev.cordon.result.LearntProfile;
import dev.cordon.result.ObservedCall;
import java.util.Locale;

/** What was learnt of a command, as {@code cordon learn --json} prints it. */
public final class LearntProfileJson {
    private LearntProfileJson() {}

    /** The object on one line; the profile is in it as the text of its file. */
    public static String text(LearntProfile learnt) {
        return JsonMembers.text(
                json -> json.objects("refused_by_default", learnt.refusedByDefault(), call -> call(json, call))
                        .objects("calls", learnt.calls(), call -> call(json, call))
                        .put("profile", learnt.complete() ? learnt.profile() : null)
                        .raw("result", ResultJson.text(learnt.result())));
    }

    private static void call(JsonMembers json, ObservedCall call) {
        json.put("name", call.name())
                .put("text", call.text())
                .put("process", call.process())
                .put("by_default", call.byDefault().name().toLowerCase(Locale.ROOT))
                .put("learnt", call.learnt());
    }
}
