package turns

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// shortSlice is the time slice that AskForShort asks for, in nanoseconds: the
// least that Linux grants.
const shortSlice = 100_000

// AskForShort asks the scheduler to let this process run soon when it has
// something to do, for a short time at once. A call is about a millisecond of
// work in several programs, and beside queries that keep the processors busy
// each of them waits for its turn. Priority and share of the processors stay
// as they are, so no right is needed and nobody else gets less.
//
// Linux does so since 6.12; older kernels ignore the slice. Threads that start
// later inherit it, and so do programs that this process starts. An error
// costs only the shorter wait, so there is none. See docs/decisions/0053.
func AskForShort() {
	// A thread that is not asked for yet may start another one while the
	// first list is read: the second reading finds it.
	for range 2 {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, t := range threads {
			if id, err := strconv.Atoi(t.Name()); err == nil {
				askForShort(id)
			}
		}
	}
}

// askForShort does so for one thread, if it is scheduled as an ordinary
// one: a person who started berth with another policy meant it.
func askForShort(thread int) {
	attr, err := unix.SchedGetAttr(thread, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return
	}
	attr.Runtime = shortSlice
	_ = unix.SchedSetAttr(thread, attr, 0)
}
