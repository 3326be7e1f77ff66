package dev.cordon.bindings.value;

/** Error numbers of Linux: the names of all, constants for those that the code looks at. A test compares them with C. */
public final class Errno {
    /** EPERM. */
    public static final int EPERM = 1;

    /** ENOENT. */
    public static final int ENOENT = 2;

    /** ESRCH. */
    public static final int ESRCH = 3;

    /** EINTR. */
    public static final int EINTR = 4;

    /** EIO. */
    public static final int EIO = 5;

    /** ENXIO. */
    public static final int ENXIO = 6;

    /** ENOEXEC. */
    public static final int ENOEXEC = 8;

    /** ECHILD. */
    public static final int ECHILD = 10;

    /** EAGAIN. */
    public static final int EAGAIN = 11;

    /** ENOMEM. */
    public static final int ENOMEM = 12;

    /** EACCES. */
    public static final int EACCES = 13;

    /** EEXIST. */
    public static final int EEXIST = 17;

    /** ENODEV. */
    public static final int ENODEV = 19;

    /** ENOTDIR. */
    public static final int ENOTDIR = 20;

    /** EISDIR. */
    public static final int EISDIR = 21;

    /** EINVAL. */
    public static final int EINVAL = 22;

    /** EMFILE. */
    public static final int EMFILE = 24;

    /** ENOSPC. */
    public static final int ENOSPC = 28;

    /** EROFS. */
    public static final int EROFS = 30;

    /** EPIPE. */
    public static final int EPIPE = 32;

    /** ENAMETOOLONG. */
    public static final int ENAMETOOLONG = 36;

    /** ENOSYS. */
    public static final int ENOSYS = 38;

    /** ELOOP. */
    public static final int ELOOP = 40;

    /** EMSGSIZE. */
    public static final int EMSGSIZE = 90;

    /** EOPNOTSUPP. */
    public static final int EOPNOTSUPP = 95;

    /** ECONNRESET. */
    public static final int ECONNRESET = 104;

    /** ETIMEDOUT. */
    public static final int ETIMEDOUT = 110;

    // In the order of their numbers, from 1; a hyphen where the kernel left a gap.
    private static final String[] NAMES = """
        EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT
        ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG
        ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY
        ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR
        EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE
        ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG
        ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ
        EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT
        EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET
        ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH
        EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM
        EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE
        ERFKILL EHWPOISON
        """.split("\\s+");

    private Errno() {}

    /** The symbolic name of a positive error number, or {@code errno N} when there is none. */
    public static String name(int errno) {
        if (errno < 1 || errno > NAMES.length || "-".equals(NAMES[errno - 1])) {
            return "errno " + errno;
        }
        return NAMES[errno - 1];
    }
}
