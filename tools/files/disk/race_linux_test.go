package disk_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
)

// The race: this process edits a file while another rewrites it. The file is
//
//	out <n>     the other program's last write, counted up
//	edit <m>    our last edit that stands on it; 0 after a write of the other
//
// The other program writes without looking. Nothing of it is destroyed if it
// finds its last out whenever it looks; nothing acknowledged is, if our edit
// stands as long as out is the one it was made on.

const racerEnv = "BERTH_TEST_RACER"

// racer is the other program's report.
type racer struct{ Writes, Destroyed int }

func TestMain(m *testing.M) {
	if path := os.Getenv(racerEnv); path != "" {
		if err := race(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if dir := os.Getenv(editorEnv); dir != "" {
		fmt.Fprintln(os.Stderr, editForEver(dir))
		os.Exit(1)
	}
	if kind := os.Getenv(writerEnv); kind != "" {
		if err := writeLines(kind, os.Getenv(writerFileEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// race is the other program. It writes in both styles until its input ends.
func race(path string) error {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	var r racer
	for {
		select {
		case <-ended:
			return json.NewEncoder(os.Stdout).Encode(r)
		default:
		}
		if r.Writes > 0 && !finds(path, r.Writes) {
			r.Destroyed++
			content, _ := os.ReadFile(path)
			fmt.Fprintf(os.Stderr, "write %d is gone, and the file has %q\n", r.Writes, content)
		}
		r.Writes++
		if err := write(path, r.Writes); err != nil {
			return err
		}
		pause := time.Duration(rand.IntN(200)) * time.Microsecond
		if rand.IntN(40) == 0 { // else no edit would ever find the file as it was read
			pause = time.Duration(rand.IntN(20)) * time.Millisecond
		}
		for start := time.Now(); time.Since(start) < pause; { // sleeping takes far longer than asked for
		}
	}
}

// finds reports whether the file has the write n. For a moment it may be away,
// between an exchange and its undoing.
func finds(path string, n int) bool {
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); {
		if content, err := os.ReadFile(path); err == nil && bytes.HasPrefix(content, fmt.Appendf(nil, "out %d\n", n)) {
			return true
		}
	}
	return false
}

func write(path string, n int) error {
	content := fmt.Appendf(nil, "out %d\nedit 0\n", n)
	if rand.IntN(2) == 0 {
		return os.WriteFile(path, content, 0o644)
	}
	other := path + ".other"
	return errors.Join(os.WriteFile(other, content, 0o644), os.Rename(other, path))
}

// parse reads the file's lines; ok is false of one that is half written.
func parse(content []byte) (out, edit int, ok bool) {
	n, err := fmt.Fscanf(bufio.NewReader(bytes.NewReader(content)), "out %d\nedit %d\n", &out, &edit)
	return out, edit, err == nil && n == 2
}

// outcome counts what became of the edits.
type outcome struct {
	Edits, Acknowledged, Stale, InUse, Other int
	Destroyed                                int // acknowledged, and gone though nobody wrote
	racer
}

// raceEdits makes edits against the other program.
func raceEdits(t testing.TB, edits int) outcome {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("out 0\nedit 0\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	defer project.Close()

	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), racerEnv+"="+path)
	other.Stderr = os.Stderr
	in, err := other.StdinPipe()
	require.NoError(t, err)
	var report bytes.Buffer
	other.Stdout = &report
	require.NoError(t, other.Start())

	var o outcome
	for o.Edits < edits {
		was, err := project.Read("file.txt")
		require.NoError(t, err)
		out, _, ok := parse(was.Content)
		if !ok {
			continue // the other program is writing
		}
		o.Edits++
		_, err = project.Replace(was, fmt.Appendf(nil, "out %d\nedit %d\n", out, o.Edits))
		var refused *disk.Error
		switch {
		case err == nil:
			o.Acknowledged++
			if !stands(t, project, out, o.Edits) {
				o.Destroyed++
			}
		case errors.As(err, &refused) && refused.Reason == disk.Stale:
			o.Stale++
		case errors.As(err, &refused) && refused.Reason == disk.InUse:
			o.InUse++
		default:
			t.Log(err)
			o.Other++
		}
	}
	require.NoError(t, in.Close())
	require.NoError(t, other.Wait())
	require.NoError(t, json.Unmarshal(report.Bytes(), &o.racer))
	left, err := filepath.Glob(filepath.Join(dir, ".berth*"))
	require.NoError(t, err)
	assert.Empty(t, left, "temporary files are left")
	return o
}

// stands reports whether our edit is in the file, or the other program has
// written since.
func stands(t testing.TB, project *disk.Project, out, edit int) bool {
	for {
		s, err := project.Read("file.txt")
		require.NoError(t, err)
		if o, e, ok := parse(s.Content); ok {
			return o > out || o == out && e == edit
		}
	}
}

func racedEdits(t testing.TB, ordinary int) int {
	text := os.Getenv("BERTH_TEST_EDITS")
	if text == "" {
		return ordinary
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func TestNoWriteIsLostInARaceWithAnotherProgram(t *testing.T) {
	o := raceEdits(t, racedEdits(t, 1000))
	t.Logf("%+v", o)
	assert.Zero(t, o.racer.Destroyed, "writes of the other program were destroyed")
	assert.Zero(t, o.Destroyed, "acknowledged edits were destroyed")
	assert.Zero(t, o.Other, "edits failed for another reason than the race")
	assert.Positive(t, o.Acknowledged, "no edit ever came through")
	assert.Positive(t, o.Stale+o.InUse, "there was no race")
}
