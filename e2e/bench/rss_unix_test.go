//go:build unix

package main_test

import (
	"os"
	"runtime"
	"syscall"
)

// peakRSS is the most memory an ended process had, in bytes.
func peakRSS(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * 1024
}
