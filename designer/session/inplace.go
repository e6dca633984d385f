package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// inPlace is what lay at the paths of state.db and its log when a transaction
// had last ended. The system lets anyone remove or empty a file that is open;
// SQLite then writes on where no successor reads. Both files only grow while
// a process has them: a log that was written back is written over from its
// start, and not cut.
type inPlace struct{ db, log os.FileInfo }

func (s *Store) logPath() string { return s.path + "-wal" }

// note takes down what lies at the paths now.
func (s *Store) note() error {
	db, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	log, err := os.Stat(s.logPath())
	if err != nil {
		return err
	}
	s.files = inPlace{db: db, log: log}
	return nil
}

// checkInPlace reports whether a successor would find what is written next,
// and sees to it where it can. It takes three looks at file names.
func (s *Store) checkInPlace() error {
	if !stillThere(s.path, s.files.db) || !s.lock.inPlace() {
		return s.gone(nil)
	}
	if stillThere(s.logPath(), s.files.log) {
		return nil
	}
	if err := s.mend(); err != nil {
		return s.gone(err)
	}
	return nil
}

// mend makes good what was done to the log alone, if nothing is lost.
func (s *Store) mend() error {
	now, err := os.Stat(s.logPath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = s.rewrite() // SQLite has the file that was removed still
	case err != nil:
	case !os.SameFile(now, s.files.log):
		err = errors.New("its log was replaced")
	default:
		err = s.lookAfresh() // another program may have written the log back
	}
	if err != nil {
		return err
	}
	return s.note()
}

// gone is the refusal to write.
func (s *Store) gone(cause error) error {
	return &StateError{Op: "write", Path: s.path, Kind: ErrGone, Err: cause,
		Hint: "put it back, or start berth serve again, which begins with what a start finds there"}
}

// rewrite writes a log that has no name any more back into state.db, and
// opens both files again.
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

// lookAfresh reads the state as a process does that starts now.
func (s *Store) lookAfresh() error {
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

// confirmInPlace is the look after a commit: only then may it be acknowledged.
func (s *Store) confirmInPlace() error {
	if !stillThere(s.path, s.files.db) || !stillThere(s.logPath(), s.files.log) || !s.lock.inPlace() || !s.hasHead() {
		return s.gone(errors.New("after the change was written"))
	}
	return s.note()
}

// hasHead reports whether the log starts as one: what was emptied and then
// written to has a hole there.
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

// stillThere reports whether path names the file, and nothing was cut off.
func stillThere(path string, file os.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, file) && now.Size() >= file.Size()
}
