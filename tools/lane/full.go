package lane

import (
	"fmt"
	"strings"
	"time"
)

// Task is a task that runs.
type Task struct {
	What string // as it was given to Enter
	For  time.Duration
}

// FullError reports that a task was refused because its lane is full. Nothing
// of the task was done.
type FullError struct {
	Waited  time.Duration // by the task that was refused
	Places  int
	Waiting int    // others that wait
	Running []Task // those that run longest come first
}

// Bounds of what [FullError.Error] names.
const (
	namedTasks = 3
	namedBytes = 80 // of a task
)

// Error returns how full the lane is and what has been running longest.
func (e *FullError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d run at once and no place came free in %v (%d more wait)", e.Places, Round(e.Waited), e.Waiting)
	for i, t := range e.Running[:min(len(e.Running), namedTasks)] {
		separator := ", "
		if i == 0 {
			separator = "; the longest: "
		}
		fmt.Fprintf(&b, "%s%s (%v)", separator, short(t.What), Round(t.For))
	}
	return b.String()
}

// Round is a wait as people read it.
func Round(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// short is a task's first words on one line.
func short(what string) string {
	what = strings.Join(strings.Fields(what), " ")
	if len(what) <= namedBytes {
		return what
	}
	return strings.ToValidUTF8(what[:namedBytes], "") + "…"
}
