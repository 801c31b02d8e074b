package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The architectures that releases have, as seccomp numbers them.
var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// enterSandbox limits memory, and refuses sockets and programs for every thread. Where the kernel does not permit this,
// the process goes on: it has no getter, and its HTTP transport and PATH lead nowhere.
func enterSandbox() {
	// kustomize writes warnings to standard error, and the Go runtime its stacks when no memory is left.
	if null, err := unix.Open("/dev/null", unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		unix.Dup3(null, 2, 0)
	}
	unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: hardMemory, Max: hardMemory})
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	arch, isKnown := auditArch[runtime.GOARCH]
	if !isKnown {
		return
	}
	refused := []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_IO_URING_SETUP}
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	result := func(value uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value} }
	refuse := result(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	jump := func(how uint16, value uint32, then, otherwise uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: value, Jt: then, Jf: otherwise}
	}
	// A call of another architecture, or of the x32 interface (from 1<<30 on), is refused, too.
	filter := []unix.SockFilter{load(4), jump(unix.BPF_JEQ, arch, 1, 0), refuse, load(0), jump(unix.BPF_JGE, 1<<30, 0, 1), refuse}
	for _, call := range refused {
		filter = append(filter, jump(unix.BPF_JEQ, call, 0, 1), refuse)
	}
	filter = append(filter, result(unix.SECCOMP_RET_ALLOW))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
		syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	}
}

// processorTime is what the process has used.
func processorTime() time.Duration {
	var usage unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
