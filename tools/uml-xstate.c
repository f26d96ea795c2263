// For tools/ipvs-vm, on machines with AMX: User Mode Linux 6.1 keeps 2.7 kB of a thread's registers, and Linux takes them only all at once, which is 11 kB
// there. Preloaded, this adds what UML does not know of, as the thread has it. It is compiled without the C library's headers, which need not be there.
#include <stdarg.h>

#define SYS_PTRACE 101
#define PTRACE_GETREGSET 0x4204
#define PTRACE_SETREGSET 0x4205
#define NT_X86_XSTATE 0x202
#define RTLD_NEXT ((void *) -1l)

typedef long (*ptrace_t)(int, ...);
struct iovec { char *base; unsigned long length; };

void *dlsym(void *library, const char *name);

static long ask(long request, long pid, long what, struct iovec *area) {
  register struct iovec *fourth __asm__("r10") = area;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_PTRACE), "D"(request), "S"(pid), "d"(what), "r"(fourth) : "rcx", "r11", "memory");
  return result;
}

// UML has small stacks, and asks from one thread at a time.
static char whole[65536] __attribute__((aligned(64)));

long ptrace(int request, ...) {
  va_list rest;
  va_start(rest, request);
  long pid = va_arg(rest, int);
  void *address = va_arg(rest, void *);
  void *data = va_arg(rest, void *);
  va_end(rest);
  if (request == PTRACE_SETREGSET && (long) address == NT_X86_XSTATE) {
    struct iovec *known = data;
    struct iovec all = {whole, sizeof whole};
    if (ask(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &all) == 0 && known->length < all.length) {
      for (unsigned long i = 0; i < known->length; i++) {
        whole[i] = known->base[i];
      }
      if (ask(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &all) == 0) {
        return 0;
      }
    }
  }
  static ptrace_t next;
  if (!next) {
    next = (ptrace_t) dlsym(RTLD_NEXT, "ptrace");
  }
  return next(request, pid, address, data);
}
