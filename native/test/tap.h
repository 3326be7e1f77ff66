/* tap.h - the least that a test needs: numbered results in the Test Anything Protocol. */
#ifndef TEST_TAP_H
#define TEST_TAP_H

#include <stdarg.h>
#include <stdio.h>

struct tap {
    int count;
    int failed;
};

__attribute__((format(printf, 3, 4))) static inline void tap_ok(struct tap *tap, int condition, const char *format,
                                                                ...)
{
    va_list args;
    printf("%sok %d - ", condition ? "" : "not ", ++tap->count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
    tap->failed += !condition;
}

static inline int tap_end(const struct tap *tap)
{
    printf("1..%d\n", tap->count);
    return tap->failed > 0;
}

#endif
