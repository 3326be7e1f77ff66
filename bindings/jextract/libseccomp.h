/* libseccomp's header, found wherever the compiler finds it; seccomp.symbols names what is taken. */
#include <seccomp.h>
