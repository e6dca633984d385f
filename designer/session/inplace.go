package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// stateFiles identifies state.db and its log as they were after the last
// transaction. The system lets anyone remove or truncate an open file; SQLite
// then continues to write where no successor reads. Both files only grow while
// a process has them open: a log that was written back is overwritten from its
// start, not truncated.
type stateFiles struct{ db, log os.FileInfo }

func (s *Store) logPath() string { return s.path + "-wal" }

// note records the files at the paths now.
func (s *Store) note() error {
	db, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	log, err := os.Stat(s.logPath())
	if err != nil {
		return err
	}
	s.files = stateFiles{db: db, log: log}
	return nil
}

// checkInPlace returns an error if a successor would not find what is written
// next, and repairs what it can. It costs three calls of stat.
func (s *Store) checkInPlace() error {
	if !stillThere(s.path, s.files.db) || !s.lock.inPlace() {
		return s.gone(nil)
	}
	if stillThere(s.logPath(), s.files.log) {
		return nil
	}
	if err := s.repairLog(); err != nil {
		return s.gone(err)
	}
	return nil
}

// repairLog repairs damage to the log alone, if nothing is lost.
func (s *Store) repairLog() error {
	now, err := os.Stat(s.logPath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = s.rewrite() // SQLite has the file that was removed still
	case err != nil:
	case !os.SameFile(now, s.files.log):
		err = errors.New("its log was replaced")
	default:
		err = s.reopen() // another program may have written the log back
	}
	if err != nil {
		return err
	}
	return s.note()
}

// gone returns the error that refuses to write.
func (s *Store) gone(cause error) error {
	return &StateError{Op: "write", Path: s.path, Kind: ErrGone, Err: cause,
		Hint: "put it back, or start berth serve again, which begins with what a start finds there"}
}

// rewrite writes a log that no longer has a name back into state.db and reopens
// both files.
func (s *Store) rewrite() error {
	var busy, frames, written int
	if err := s.conn.QueryRowContext(background, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &written); err != nil {
		return fmt.Errorf("write the log back: %w", err)
	}
	if busy != 0 {
		return errors.New("its log was removed and cannot be written back: another program reads it")
	}
	seq := s.seq
	if err := errors.Join(s.disconnect(), s.open()); err != nil {
		return err
	}
	if s.seq < seq {
		return errors.New("its log was removed")
	}
	return nil
}

// reopen reopens the state as a new process would.
func (s *Store) reopen() error {
	db, conn, err := connect(s.path)
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	var seq uint64
	if err := conn.QueryRowContext(background, statementText[selectSeq]).Scan(&seq); err != nil {
		return err
	}
	if seq != s.seq {
		return errors.New("its log was emptied")
	}
	return nil
}

// confirmInPlace checks the files after a commit, before it is acknowledged.
func (s *Store) confirmInPlace() error {
	if !stillThere(s.path, s.files.db) || !stillThere(s.logPath(), s.files.log) || !s.lock.inPlace() || !s.hasHead() {
		return s.gone(errors.New("after the change was written"))
	}
	return s.note()
}

// hasHead reports whether the log has a valid header: a log that was truncated
// and then written has a hole there.
func (s *Store) hasHead() bool {
	log, err := os.Open(s.logPath())
	if err != nil {
		return false
	}
	defer log.Close()
	var head [4]byte
	_, err = log.ReadAt(head[:], 0)
	return err == nil && head != [4]byte{}
}

// stillThere reports whether path still names the file and the file was not
// truncated.
func stillThere(path string, file os.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, file) && now.Size() >= file.Size()
}
