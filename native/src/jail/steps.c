/* steps.c - the one loop that runs a list of set-up steps, and how a failure is told. */
#include "jail.h"
#include "sys.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

/* Test builds stop where the plan says, either with an error or by dropping dead. */
static int injected(struct jail *jail, enum stage stage)
{
#ifdef CORDON_FAULTS
    const struct plan_header *header = jail->plan.header;
    if (header == NULL || header->fault_stage != stage) return 0;
    jail->detail = "injected by the test build";
    if (header->fault_action == FAULT_ABORT) _exit(86);
    if (header->fault_action == FAULT_ERROR) return -EIO;
#else
    (void)jail;
    (void)stage;
#endif
    return 0;
}

static int is_skipped(const struct jail *jail, enum stage stage)
{
#ifdef CORDON_FAULTS
    const struct plan_header *header = jail->plan.header;
    return header != NULL && header->fault_stage == stage && header->fault_action == FAULT_SKIP;
#else
    (void)jail;
    (void)stage;
    return 0;
#endif
}

int steps_run(const struct step *steps, size_t count, struct jail *jail, enum stage *failed)
{
    for (size_t i = 0; i < count; i++) {
        jail->operation = UINT32_MAX;
        jail->detail = "";
        *failed = steps[i].stage;
        if (is_skipped(jail, steps[i].stage)) continue;
        int error = steps[i].run(jail);
        if (error >= 0) error = injected(jail, steps[i].stage);
        if (error < 0) return error;
    }
    return 0;
}

void report_failure(const struct jail *jail, enum stage stage, int error)
{
    struct wire_failed failed = {
        .size = sizeof failed,
        .stage = stage,
        .error = -error,
        .operation = jail->operation,
    };
    snprintf(failed.detail, sizeof failed.detail, "%s", jail->detail == NULL ? "" : jail->detail);
    wire_send(jail->control, WIRE_FAILED, 0, &failed, sizeof failed, NULL, 0, 0);
}
