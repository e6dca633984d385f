package driver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// MySQL and MariaDB do not notice that a client is gone while they compute: a
// query of an instance that was killed runs on until its time limit. So each
// query begins with a comment that names the process that sent it, and the
// next instance that reaches the server with the same login ends the queries
// of processes that are no more.

// statementTag names the process that sent a statement.
type statementTag struct {
	host string // and its process ids; the same for every instance on a machine
	pid  int
}

func newStatementTag(pid int) statementTag {
	name, _ := os.Hostname()                     // what is not known is the same for all
	machine, _ := os.ReadFile("/etc/machine-id") // Linux
	space, _ := os.Readlink("/proc/self/ns/pid") // containers may have the host's name
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", name, machine, space))
	return statementTag{fmt.Sprintf("%x", sum[:6]), pid}
}

// comment is the tag as it stands before a statement.
func (t statementTag) comment() string { return fmt.Sprintf("/* berth %s %d */ ", t.host, t.pid) }

var taggedStatement = lazyregexp.New(`^/\* berth ([0-9a-f]{12}) ([0-9]{1,10}) \*/`)

// orphaned reports whether a statement was sent by a process of this machine
// that is no more. In doubt, it was not.
func (t statementTag) orphaned(statement string) bool {
	m := taggedStatement().FindStringSubmatch(statement)
	if m == nil || m[1] != t.host {
		return false
	}
	pid, err := strconv.Atoi(m[2])
	return err == nil && pid > 0 && !lives(pid)
}

// lives reports whether there is a process of that number.
func lives(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }() // which never fails
	if runtime.GOOS == "windows" {
		return true // it was found
	}
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// endOrphans ends what instances that were killed left running with the same
// login. It is tried once a pool; whatever goes wrong, the time limit of those
// statements ends them.
func (d *mysqlDatabase) endOrphans(ctx context.Context, s *mysqlSession) {
	if d.swept.Swap(true) {
		return
	}
	rows, err := s.rows(ctx, 2, `SELECT ID, INFO FROM information_schema.PROCESSLIST
WHERE USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> CONNECTION_ID() AND INFO LIKE '/* berth %'`)
	if err != nil {
		return
	}
	for _, row := range rows {
		if id, err := strconv.ParseUint(row[0], 10, 64); err == nil && d.tag.orphaned(row[1]) {
			_ = s.exec(ctx, fmt.Sprintf("KILL QUERY %d", id)) // it may have ended by now
		}
	}
}
