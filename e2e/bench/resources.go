package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// residentMiB is the memory of a process that is resident. ok is false where
// the system does not report it as Linux does.
func residentMiB(pid int) (mib float64, ok bool) {
	kib, _, _ := strings.Cut(field(fmt.Sprintf("/proc/%d/status", pid), "VmRSS", ":"), " ")
	n, err := strconv.Atoi(kib)
	return float64(n) / 1024, err == nil
}

// proportionalMiB is the memory of a process that is resident, where a page
// that n processes share counts 1/n. ok is false where the system does not
// report it as Linux does.
func proportionalMiB(pid int) (mib float64, ok bool) {
	kib, _, _ := strings.Cut(field(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss", ":"), " ")
	n, err := strconv.Atoi(kib)
	return float64(n) / 1024, err == nil
}

// processorTime is the time that the threads of a process had a processor. ok
// is false where the system does not report it as Linux does.
func processorTime(pid int) (d time.Duration, ok bool) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // a thread that has ended
		}
		nanoseconds, _, _ := strings.Cut(string(raw), " ")
		n, err := strconv.ParseInt(nanoseconds, 10, 64)
		if err != nil {
			return 0, false
		}
		d += time.Duration(n)
	}
	return d, d > 0
}
