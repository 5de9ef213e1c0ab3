/*
 * A library to preload that writes down everything a process does to the files of one directory,
 * so that a loss of power can be played at any moment afterwards.
 *
 * MNEMIC_TAPE      the file that the records are appended to
 * MNEMIC_TAPE_DIR  only files below this directory are recorded, and what goes to standard output
 *
 * A record: a letter, then as 8 bytes each the length of the path, an offset, the length of the
 * data; then the path, then the data. Letters: W write, T truncate, S sync of a file, D sync of a
 * directory, C create, U unlink, R rename (the new path is the data), L link (the same), A answer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ({ static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int tape = -1;

static int inside(const char *path) {
    const char *dir = getenv("MNEMIC_TAPE_DIR");
    size_t length = dir ? strlen(dir) : 0;
    return length && path && strncmp(path, dir, length) == 0 &&
           (path[length] == '/' || path[length] == 0);
}

/* The path of a descriptor; 0 when it is not one of ours. */
static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return inside(path) && !strstr(path, " (deleted)");
}

static void record(char letter, const char *path, uint64_t offset, const void *data, uint64_t size) {
    uint64_t length = strlen(path);
    char head[25];
    head[0] = letter;
    memcpy(head + 1, &length, 8);
    memcpy(head + 9, &offset, 8);
    memcpy(head + 17, &size, 8);
    struct iovec parts[3] = {{head, 25}, {(void *)path, length}, {(void *)data, size}};
    if (tape < 0) tape = REAL(open)(getenv("MNEMIC_TAPE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (tape < 0 || writev(tape, parts, 3) != (ssize_t)(25 + length + size)) abort();
}

/* Holds the turn from the call until its record is on the tape, so that their orders agree. */
#define TAPED(type, call, ours, write_down)   \
    pthread_mutex_lock(&turn);                \
    type result = call;                       \
    if (result >= 0 && (ours)) { write_down; } \
    pthread_mutex_unlock(&turn);              \
    return result

ssize_t write(int fd, const void *from, size_t bytes) {
    char path[PATH_MAX];
    if (fd == STDOUT_FILENO && getenv("MNEMIC_TAPE_DIR")) {
        /* Before it is said: whoever hears it may rely on it. */
        pthread_mutex_lock(&turn);
        record('A', "", 0, from, bytes);
        pthread_mutex_unlock(&turn);
        return REAL(write)(fd, from, bytes);
    }
    TAPED(ssize_t, REAL(write)(fd, from, bytes), path_of(fd, path),
          record('W', path, lseek(fd, 0, SEEK_CUR) - result, from, result));
}
ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) {
    char path[PATH_MAX];
    TAPED(ssize_t, REAL(pwrite)(fd, from, bytes, at), path_of(fd, path),
          record('W', path, at, from, result));
}
ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
    char path[PATH_MAX];
    TAPED(ssize_t, REAL(pwrite64)(fd, from, bytes, at), path_of(fd, path),
          record('W', path, at, from, result));
}
int ftruncate(int fd, off_t to) {
    char path[PATH_MAX];
    TAPED(int, REAL(ftruncate)(fd, to), path_of(fd, path), record('T', path, to, "", 0));
}
int ftruncate64(int fd, off64_t to) {
    char path[PATH_MAX];
    TAPED(int, REAL(ftruncate64)(fd, to), path_of(fd, path), record('T', path, to, "", 0));
}

static char sync_letter(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISDIR(about.st_mode) ? 'D' : 'S';
}
int fsync(int fd) {
    char path[PATH_MAX];
    TAPED(int, REAL(fsync)(fd), path_of(fd, path), record(sync_letter(fd), path, 0, "", 0));
}
int fdatasync(int fd) {
    char path[PATH_MAX];
    TAPED(int, REAL(fdatasync)(fd), path_of(fd, path), record(sync_letter(fd), path, 0, "", 0));
}

int unlink(const char *path) {
    TAPED(int, REAL(unlink)(path), inside(path), record('U', path, 0, "", 0));
}
int rename(const char *from, const char *to) {
    TAPED(int, REAL(rename)(from, to), inside(to), record('R', from, 0, to, strlen(to)));
}
int link(const char *from, const char *to) {
    TAPED(int, REAL(link)(from, to), inside(to), record('L', from, 0, to, strlen(to)));
}

static void opened(const char *path, int flags, int existed) {
    if (!existed) record('C', path, 0, "", 0);
    else if (flags & O_TRUNC) record('T', path, 0, "", 0);
}

#define OPENING(call)                                         \
    mode_t mode = 0;                                          \
    if (flags & (O_CREAT | O_TMPFILE)) {                      \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode = va_arg(rest, mode_t);                          \
        va_end(rest);                                         \
    }                                                         \
    if ((flags & O_ACCMODE) == O_RDONLY || !inside(path)) return call; \
    pthread_mutex_lock(&turn);                                \
    int existed = access(path, F_OK) == 0;                    \
    int fd = call;                                            \
    if (fd >= 0) opened(path, flags, existed);                \
    pthread_mutex_unlock(&turn);                              \
    return fd

int open(const char *path, int flags, ...) { OPENING(REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) { OPENING(REAL(open64)(path, flags, mode)); }
