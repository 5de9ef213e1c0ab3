/*
 * A library to preload that makes the operating system fail on request.
 *
 * MNEMIC_FAULT_DIR     only files below this directory count
 * MNEMIC_FAULT_ON      "write" (the usual), "read", or "stdout" (writes to descriptor 1)
 * MNEMIC_FAULT_AT      the number of the call that fails, counted from 1; 0 only counts
 * MNEMIC_FAULT_KIND    EIO, ENOSPC, KILL (dies instead of the call), TEAR (dies in its middle),
 *                      SLOW (20 ms later, and well)
 * MNEMIC_FAULT_STICKY  every later call fails too
 * MNEMIC_FAULT_HIT     a file that is made when the fault happens
 * MNEMIC_FAKE_TIME     what the wall clock shows, in seconds since 1970
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum action { PASS, FAIL, TEAR };

static int calls;

static int inside(const char *path) {
    const char *dir = getenv("MNEMIC_FAULT_DIR");
    size_t length = dir ? strlen(dir) : 0;
    return length && path && strncmp(path, dir, length) == 0 &&
           (path[length] == '/' || path[length] == 0);
}

static int fd_inside(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return inside(path);
}

static int watches(const char *what) {
    const char *on = getenv("MNEMIC_FAULT_ON");
    return strcmp(on && *on ? on : "write", what) == 0;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a call that matters and says what becomes of it. */
static enum action decide(void) {
    const char *at = getenv("MNEMIC_FAULT_AT");
    const char *kind = getenv("MNEMIC_FAULT_KIND");
    if (!at || !kind) return PASS;
    int wanted = atoi(at);
    int call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (wanted == 0 || call < wanted) return PASS;
    if (call > wanted && !getenv("MNEMIC_FAULT_STICKY")) return PASS;
    const char *hit = getenv("MNEMIC_FAULT_HIT");
    if (hit && call == wanted) {
        int fd = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT, 0600);
        if (fd >= 0) close(fd);
    }
    if (strcmp(kind, "KILL") == 0) die();
    if (strcmp(kind, "TEAR") == 0) return TEAR;
    if (strcmp(kind, "SLOW") == 0) {
        usleep(20000);
        return PASS;
    }
    errno = strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EIO;
    return FAIL;
}

static int writes_count(int fd) {
    if (watches("stdout")) return fd == STDOUT_FILENO;
    return watches("write") && fd_inside(fd);
}

#define REAL(name) ({ static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

#define WRITING(fd, bytes, whole, half)                       \
    if (writes_count(fd)) switch (decide()) {                 \
        case FAIL: return -1;                                 \
        case TEAR: if (half < 0) {} die();                    \
        default: break;                                       \
    }                                                         \
    return whole

ssize_t write(int fd, const void *from, size_t bytes) {
    WRITING(fd, bytes, REAL(write)(fd, from, bytes), REAL(write)(fd, from, bytes / 2));
}
ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) {
    WRITING(fd, bytes, REAL(pwrite)(fd, from, bytes, at), REAL(pwrite)(fd, from, bytes / 2, at));
}
ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
    WRITING(fd, bytes, REAL(pwrite64)(fd, from, bytes, at),
            REAL(pwrite64)(fd, from, bytes / 2, at));
}

/* Anything else that changes a file: it happens whole or not at all. */
#define CHANGING(counts, whole)                               \
    if (watches("write") && (counts)) switch (decide()) {     \
        case FAIL: return -1;                                 \
        case TEAR: die();                                     \
        default: break;                                       \
    }                                                         \
    return whole

int fsync(int fd) { CHANGING(fd_inside(fd), REAL(fsync)(fd)); }
int fdatasync(int fd) { CHANGING(fd_inside(fd), REAL(fdatasync)(fd)); }
int ftruncate(int fd, off_t to) { CHANGING(fd_inside(fd), REAL(ftruncate)(fd, to)); }
int ftruncate64(int fd, off64_t to) { CHANGING(fd_inside(fd), REAL(ftruncate64)(fd, to)); }
int unlink(const char *path) { CHANGING(inside(path), REAL(unlink)(path)); }
int mkdir(const char *path, mode_t mode) { CHANGING(inside(path), REAL(mkdir)(path, mode)); }
int rename(const char *from, const char *to) { CHANGING(inside(to), REAL(rename)(from, to)); }
int link(const char *from, const char *to) { CHANGING(inside(to), REAL(link)(from, to)); }

#define READING(fd, whole)                                    \
    if (watches("read") && fd_inside(fd)) switch (decide()) { \
        case FAIL: return -1;                                 \
        case TEAR: die();                                     \
        default: break;                                       \
    }                                                         \
    return whole

ssize_t read(int fd, void *into, size_t bytes) { READING(fd, REAL(read)(fd, into, bytes)); }
ssize_t pread(int fd, void *into, size_t bytes, off_t at) {
    READING(fd, REAL(pread)(fd, into, bytes, at));
}
ssize_t pread64(int fd, void *into, size_t bytes, off64_t at) {
    READING(fd, REAL(pread64)(fd, into, bytes, at));
}

static int open_counts(const char *path, int flags) {
    int for_writing = (flags & O_ACCMODE) != O_RDONLY;
    return (for_writing ? watches("write") : watches("read")) && inside(path);
}

#define OPENING(path, flags, whole)                           \
    mode_t mode = 0;                                          \
    if (flags & (O_CREAT | O_TMPFILE)) {                      \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode = va_arg(rest, mode_t);                          \
        va_end(rest);                                         \
    }                                                         \
    if (open_counts(path, flags)) switch (decide()) {         \
        case FAIL: return -1;                                 \
        case TEAR: die();                                     \
        default: break;                                       \
    }                                                         \
    return whole

int open(const char *path, int flags, ...) { OPENING(path, flags, REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) {
    OPENING(path, flags, REAL(open64)(path, flags, mode));
}

int clock_gettime(clockid_t clock, struct timespec *into) {
    const char *fake = getenv("MNEMIC_FAKE_TIME");
    if (clock == CLOCK_REALTIME && fake && *fake) {
        into->tv_sec = atoll(fake);
        into->tv_nsec = 0;
        return 0;
    }
    return REAL(clock_gettime)(clock, into);
}
