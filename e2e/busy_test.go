package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// busy reports whether an instance burns processor time now: some of it in each
// fifth of a second. How much depends on who else wants the processor, but an
// instance at rest, or one that answers a call, has times without. Linux tells
// a process's time in /proc.
func busy(in *instance) bool {
	for range 5 {
		before := ticks(in.PID)
		time.Sleep(200 * time.Millisecond) // the length of the measurement
		if ticks(in.PID) <= before {
			return false
		}
	}
	return true
}

// ticks is the processor time a process has used, in hundredths of a second;
// 0 for one that is gone.
func ticks(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}
