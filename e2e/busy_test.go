package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// busy reports whether an instance burns processor time now: more than half of
// a core over a tenth of a second. Linux tells a process's time in /proc.
func busy(in *instance) bool {
	before := ticks(in.PID)
	time.Sleep(100 * time.Millisecond) // the length of the measurement
	return ticks(in.PID)-before >= 5   // of 10 ticks of 10 ms
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
