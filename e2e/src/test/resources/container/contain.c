/*
 * contain ROOT USER CAPABILITIES COMMAND...: becomes a command as container runtimes do it for a pod with allowPrivilegeEscalation: false
 * and the seccomp profile RuntimeDefault. ROOT is its root directory, USER its user and group, CAPABILITIES a hexadecimal set which it is
 * bounded by and, until the command is run, has; the kernel then decides what the command gets. No other groups, no ambient capabilities.
 * With the set "privileged" nothing is taken away, as for a privileged container.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the kernel's headers, which musl does not come with: a program of BPF, and what a filter of seccomp sees and says. */
struct instruction { uint16_t code; uint8_t yes, no; uint32_t value; };
struct program { unsigned short length; struct instruction *instructions; };
struct call { int number; uint32_t architecture; uint64_t address, arguments[6]; };
enum { LOAD = 0x20, IF_EQUAL = 0x15, IF_ANY_BIT = 0x45, RETURN = 0x06 };
#define ALLOW 0x7fff0000u
#define FAIL_WITH 0x00050000u
#define KILL 0x80000000u
#define FILTER 2
#ifdef __x86_64__
#define ARCHITECTURE 0xc000003eu
#else
#define ARCHITECTURE 0xc00000b7u
#endif
#define NEW_NAMESPACES 0x7e020000u   /* CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
#define VSOCK 40

/*
 * What a process of a container may ask of the kernel: files, memory, threads, time, sockets, and what concerns itself. What concerns
 * the machine or other containers is not in it: mounts, modules, namespaces, clocks, swap, reboots, tracing by perf and bpf, keys, io_uring.
 */
static const int allowed[] = {
    /* what is called most, first: filters are read from the start */
    SYS_futex, SYS_read, SYS_write, SYS_recvmmsg, SYS_sendmmsg, SYS_epoll_pwait, SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg,
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_madvise, SYS_mmap, SYS_munmap, SYS_mprotect,
    /* files */
    SYS_openat, SYS_close, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_lseek, SYS_fstat, SYS_newfstatat,
    SYS_statx, SYS_statfs, SYS_fstatfs, SYS_fcntl, SYS_ioctl, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_syncfs, SYS_sync,
    SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_readahead, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_mkdirat,
    SYS_mknodat, SYS_unlinkat, SYS_symlinkat, SYS_linkat, SYS_renameat, SYS_renameat2, SYS_readlinkat, SYS_faccessat, SYS_faccessat2,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_umask, SYS_dup, SYS_dup3, SYS_pipe2, SYS_splice, SYS_tee,
    SYS_vmsplice, SYS_sendfile, SYS_copy_file_range, SYS_close_range, SYS_openat2, SYS_memfd_create, SYS_inotify_init1,
    SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_listxattr, SYS_llistxattr, SYS_flistxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    /* memory */
    SYS_brk, SYS_mremap, SYS_msync, SYS_mincore, SYS_mlock, SYS_mlock2, SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_membarrier,
    SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect,
    /* processes and threads */
    SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_kill, SYS_tkill, SYS_tgkill, SYS_getpid, SYS_getppid,
    SYS_gettid, SYS_getpgid, SYS_setpgid, SYS_getsid, SYS_setsid, SYS_set_tid_address, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq,
    SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getattr, SYS_sched_setattr, SYS_sched_getparam, SYS_sched_setparam,
    SYS_sched_getscheduler, SYS_sched_setscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_rr_get_interval,
    SYS_getpriority, SYS_setpriority, SYS_ioprio_get, SYS_ioprio_set, SYS_prctl, SYS_getcpu, SYS_getrusage, SYS_times, SYS_prlimit64,
    SYS_getrlimit, SYS_setrlimit, SYS_sysinfo, SYS_uname, SYS_getrandom, SYS_seccomp, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_ptrace,
    /* users and rights */
    SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid,
    SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid, SYS_getgroups, SYS_setgroups, SYS_capget, SYS_capset,
    /* signals, time, waiting */
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_sigaltstack, SYS_signalfd4, SYS_restart_syscall, SYS_clock_getres, SYS_gettimeofday, SYS_timer_create,
    SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_timerfd_gettime, SYS_getitimer, SYS_setitimer, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait2,
    SYS_eventfd2,
    /* sockets; socket itself is below */
    SYS_socketpair, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_connect, SYS_shutdown, SYS_getsockname, SYS_getpeername,
    SYS_getsockopt, SYS_setsockopt,
    /* between processes */
    SYS_shmget, SYS_shmat, SYS_shmdt, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop, SYS_msgget, SYS_msgsnd, SYS_msgrcv,
    SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend, SYS_mq_timedreceive, SYS_mq_notify, SYS_mq_getsetattr,
#ifdef __x86_64__
    /* the old forms, which newer architectures do not have */
    SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link, SYS_symlink,
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_getdents, SYS_utime, SYS_utimes, SYS_futimesat, SYS_dup2, SYS_pipe, SYS_poll,
    SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_signalfd, SYS_inotify_init, SYS_fork, SYS_vfork, SYS_getpgrp, SYS_pause,
    SYS_alarm, SYS_time, SYS_arch_prctl,
#endif
};

static void must(int done, const char *what) {
    if (done == 0) return;
    fprintf(stderr, "contain: %s: %s\n", what, strerror(errno));
    exit(125);
}

static struct instruction instructions[4096];
static unsigned short length;

static void add(uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    instructions[length++] = (struct instruction) {code, yes, no, value};
}

static void load(uint32_t at) { add(LOAD, 0, 0, at); }
static void finish(uint32_t action) { add(RETURN, 0, 0, action); }

/* A call that is allowed unless its first argument is, or has, this. */
static void unless(int call, uint16_t test, uint32_t value) {
    add(IF_EQUAL, 0, 4, call);
    load(offsetof(struct call, arguments));
    add(test, 0, 1, value);
    finish(FAIL_WITH | EPERM);
    finish(ALLOW);
}

static void filter_calls(void) {
    load(offsetof(struct call, architecture));
    add(IF_EQUAL, 1, 0, ARCHITECTURE);
    finish(KILL);
    load(offsetof(struct call, number));
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        add(IF_EQUAL, 0, 1, allowed[i]);
        finish(ALLOW);
    }
    unless(SYS_socket, IF_EQUAL, VSOCK);
    unless(SYS_clone, IF_ANY_BIT, NEW_NAMESPACES);
    /* Flags of clone3 are in memory, where a filter does not see them: C libraries then take clone. */
    add(IF_EQUAL, 0, 1, SYS_clone3);
    finish(FAIL_WITH | ENOSYS);
    /* To ask for the personality, or to have the usual one. */
    add(IF_EQUAL, 0, 4, SYS_personality);
    load(offsetof(struct call, arguments));
    add(IF_EQUAL, 1, 0, 0xffffffffu);
    add(IF_EQUAL, 0, 1, 0);
    finish(ALLOW);
    finish(FAIL_WITH | EPERM);
    struct program all = {length, instructions};
    must(prctl(PR_SET_SECCOMP, FILTER, &all), "seccomp");
}

static void give_up_rights(unsigned long long set, unsigned user) {
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
    filter_calls();
}

int main(int argc, char **argv) {
    if (argc < 5) return 125;
    must(chroot(argv[1]), "chroot");
    must(chdir("/"), "chdir");
    if (strcmp(argv[3], "privileged") != 0) give_up_rights(strtoull(argv[3], NULL, 16), atoi(argv[2]));
    execv(argv[4], argv + 4);
    must(-1, argv[4]);
}
