package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// residentMiB is the memory of a process that is resident. ok is false where
// the system does not report it as Linux does.
func residentMiB(pid int) (mib float64, ok bool) {
	kib, _, _ := strings.Cut(field(fmt.Sprintf("/proc/%d/status", pid), "VmRSS", ":"), " ")
	n, err := strconv.Atoi(kib)
	return float64(n) / 1024, err == nil
}

// processorTime is the processor time of a process in hundredths of a second.
func processorTime(pid int) (ticks int, ok bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name, in brackets, may have spaces in it.
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) < 13 {
		return 0, false
	}
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return user + system, err1 == nil && err2 == nil
}
