/*
 * contain ROOT USER CAPABILITIES COMMAND...: becomes a command as container runtimes do it for a pod with allowPrivilegeEscalation: false.
 * ROOT is its root directory, USER its user and group, CAPABILITIES a hexadecimal set which it is bounded by and, until the command is run,
 * has; the kernel then decides what the command gets. No other groups, no ambient capabilities.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void must(int done, const char *what) {
    if (done == 0) return;
    fprintf(stderr, "contain: %s: %s\n", what, strerror(errno));
    exit(125);
}

int main(int argc, char **argv) {
    if (argc < 5) return 125;
    unsigned user = atoi(argv[2]);
    unsigned long long set = strtoull(argv[3], NULL, 16);
    must(chroot(argv[1]), "chroot");
    must(chdir("/"), "chdir");
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if (!(set >> capability & 1)) must(prctl(PR_CAPBSET_DROP, capability), "bounding set");
    must(prctl(PR_SET_KEEPCAPS, 1), "keep capabilities");
    must(setgroups(0, NULL), "groups");
    must(setresgid(user, user, user), "group");
    must(setresuid(user, user, user), "user");
    struct { unsigned version; int pid; } header = {0x20080522, 0};
    struct { unsigned effective, permitted, inheritable; } sets[2] = {
        {(unsigned) set, (unsigned) set, 0}, {(unsigned) (set >> 32), (unsigned) (set >> 32), 0}};
    must(syscall(SYS_capset, &header, sets), "capabilities");
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges");
    execv(argv[4], argv + 4);
    must(-1, argv[4]);
}
