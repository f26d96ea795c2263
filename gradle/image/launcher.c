/*
 * What the image's commands are: a static program, so that the image needs no shell. It is called by a name (/coredns, /cairn,
 * /cairn-proxy ...), reads the arguments of the JVM from HOME/NAME.args, one on each line, and becomes the JVM. In a line, {home} is the
 * directory above the one that this program lies in, and {options} stands for the words of CAIRN_OPTS. An AOT cache that is not there is
 * left out.
 *
 * Called as cairn-up it only says whether a file is there, for probes: the image has no other program that could.
 *
 * It has the file capability to bind ports below 1024, which the JVM itself cannot have, since the loader would then refuse its libraries.
 * A process of another user than root hands it on as an ambient capability. Without it, as the container may be run, all but such ports
 * works.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 512
#define NET_BIND_SERVICE 10
#define CAPABILITY_VERSION_3 0x20080522

static char *arguments[MOST + 1];
static int count;

static void fail(const char *what, const char *name) {
    fprintf(stderr, "cairn: cannot %s %s: %s\n", what, name, strerror(errno));
    exit(1);
}

static void add(const char *argument) {
    if (count == MOST) {
        fprintf(stderr, "cairn: more than %d arguments\n", MOST);
        exit(1);
    }
    arguments[count++] = strdup(argument);
}

static void add_words(const char *words) {
    char *copy = strdup(words ? words : "");
    for (char *word = strtok(copy, " \t\n"); word; word = strtok(NULL, " \t\n")) add(word);
    free(copy);
}

/* A line with every {home} replaced. */
static void add_line(const char *line, const char *home) {
    static char out[1 << 16];
    size_t at = 0;
    for (const char *from = line; *from;) {
        if (at + strlen(home) + 1 >= sizeof out) {
            fprintf(stderr, "cairn: too long a line: %.40s...\n", line);
            exit(1);
        }
        if (strncmp(from, "{home}", 6) == 0) {
            at += sprintf(out + at, "%s", home);
            from += 6;
        } else {
            out[at++] = *from++;
        }
    }
    out[at] = 0;
    if (strncmp(out, "-XX:AOTCache=", 13) != 0 || access(out + 13, R_OK) == 0) add(out);
}

static void keep_the_right_to_bind(void) {
    struct { unsigned version; int pid; } header = {CAPABILITY_VERSION_3, 0};
    struct { unsigned effective, permitted, inheritable; } sets[2];
    if (getuid() == 0 || syscall(SYS_capget, &header, sets) != 0 || !(sets[0].permitted & 1u << NET_BIND_SERVICE)) return;
    sets[0].inheritable |= 1u << NET_BIND_SERVICE;
    if (syscall(SYS_capset, &header, sets) == 0) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, NET_BIND_SERVICE, 0, 0);
}

static const char *command(const char *called) {
    const char *name = basename(strdup(called));
    if (strcmp(name, "coredns") == 0) return "cairn";
    return strcmp(name, "kube-proxy") == 0 ? "cairn-proxy" : name;
}

int main(int argc, char **argv) {
    if (strcmp(basename(strdup(argv[0])), "cairn-up") == 0) return argc == 2 && access(argv[1], F_OK) == 0 ? 0 : 1;
    char self[PATH_MAX], file[PATH_MAX + 64], line[1 << 15];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) fail("read", "/proc/self/exe");
    self[length] = 0;
    const char *home = dirname(dirname(self));
    snprintf(file, sizeof file, "%s/%s.args", home, command(argv[0]));
    FILE *lines = fopen(file, "r");
    if (!lines) fail("open", file);
    while (fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "{options}") == 0) add_words(getenv("CAIRN_OPTS"));
        else if (*line) add_line(line, home);
    }
    fclose(lines);
    for (int i = 1; i < argc; i++) add(argv[i]);
    keep_the_right_to_bind();
    execv(arguments[0], arguments);
    fail("run", arguments[0]);
}
