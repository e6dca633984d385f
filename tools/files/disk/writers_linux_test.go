package disk_test

import (
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
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/files/disk"
)

// The five ways in which programs add a line to a file. Each reads, or not,
// and writes as real programs do, without looking out for anybody.
var writers = map[string]func(path, line string) error{
	"append": func(path, line string) error {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = file.WriteString(line)
		return errors.Join(err, file.Close())
	},
	"descriptor": keptOpen(),
	"truncate": func(path, line string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, append(content, line...), 0o644)
	},
	"sed": func(path, line string) error {
		return exec.Command("sed", "-i", "$a "+strings.TrimSuffix(line, "\n"), path).Run()
	},
	"rename": func(path, line string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		other := path + ".other"
		return errors.Join(os.WriteFile(other, append(content, line...), 0o644), os.Rename(other, path))
	},
}

// keptOpen appends through one descriptor for some lines, then opens the file
// again.
func keptOpen() func(path, line string) error {
	var file *os.File
	lines := 0
	return func(path, line string) error {
		if file == nil {
			var err error
			if file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
				return err
			}
		}
		_, err := file.WriteString(line)
		if lines++; lines%5 == 0 {
			err = errors.Join(err, file.Close())
			file = nil
		}
		return err
	}
}

// Of the writer's process.
const (
	writerEnv     = "BERTH_TEST_WRITER" // its way of writing
	writerFileEnv = "BERTH_TEST_WRITER_FILE"
)

// writeLines is the other program. It adds numbered lines until its input
// ends, and says how many.
func writeLines(kind, path string) error {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	for n := 1; ; n++ {
		select {
		case <-ended:
			return json.NewEncoder(os.Stdout).Encode(n - 1)
		default:
		}
		if err := writers[kind](path, fmt.Sprintf("line %d\n", n)); err != nil {
			return err
		}
		pause := time.Duration(rand.IntN(300)) * time.Microsecond
		if rand.IntN(20) == 0 { // else no edit would ever find the file as it was read
			pause = time.Duration(rand.IntN(10)) * time.Millisecond
		}
		for start := time.Now(); time.Since(start) < pause; { // sleeping takes far longer than asked for
		}
	}
}

// tally counts what became of the writer's lines and of the edits.
type tally struct {
	Lines, Destroyed, Kept       int // of the writer; kept aside and nowhere else
	Edits, Accepted, Refused     int
	RefusedButPresent, Concealed int // concealed: the refusal did not say that the edit may be there
}

// raceWriter edits a file for a while against another process that writes it.
func raceWriter(t *testing.T, kind string, length time.Duration) tally {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("first\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), writerEnv+"="+kind, writerFileEnv+"="+path)
	other.Stderr = os.Stderr
	in, err := other.StdinPipe()
	require.NoError(t, err)
	var report bytes.Buffer
	other.Stdout = &report
	require.NoError(t, other.Start())

	var got tally
	refusals := map[int]string{}
	for start := time.Now(); time.Since(start) < length; {
		was, err := project.Read("file.txt")
		require.NoError(t, err)
		got.Edits++
		_, err = project.Replace(was, append(fmt.Appendf(nil, "edit %d\n", got.Edits), was.Content...))
		if err == nil {
			got.Accepted++
			continue
		}
		var refused *disk.Error
		require.ErrorAs(t, err, &refused)
		require.Contains(t, []disk.Reason{disk.Stale, disk.InUse, disk.HardLinked}, refused.Reason, err)
		got.Refused++
		refusals[got.Edits] = refused.Message
	}
	require.NoError(t, in.Close())
	require.NoError(t, other.Wait())
	require.NoError(t, json.Unmarshal(report.Bytes(), &got.Lines))
	require.NoError(t, project.Close())
	got.count(t, dir, refusals)
	return got
}

// count looks for every line and every refused edit.
func (got *tally) count(t *testing.T, dir string, refusals map[int]string) {
	content, err := os.ReadFile(filepath.Join(dir, "file.txt"))
	require.NoError(t, err)
	there := linesOf(content)
	aside := map[string]bool{}
	kept, err := filepath.Glob(filepath.Join(dir, "berth-kept-*"))
	require.NoError(t, err)
	for _, name := range kept {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range linesOf(content) {
			aside[line] = true
		}
	}
	for n := range got.Lines {
		switch line := "line " + strconv.Itoa(n+1); {
		case there[line]:
		case aside[line]:
			got.Kept++
		default:
			got.Destroyed++
		}
	}
	for n, message := range refusals {
		if there["edit "+strconv.Itoa(n)] {
			got.RefusedButPresent++
			if !strings.Contains(message, "may be in the file") {
				got.Concealed++
				t.Log("refused, present and not said:", message)
			}
		}
	}
}

func linesOf(content []byte) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	return lines
}

func TestNoLineOfAnotherProgramIsDestroyed(t *testing.T) {
	for kind := range writers {
		t.Run(kind, func(t *testing.T) {
			got := raceWriter(t, kind, long.For(700*time.Millisecond, time.Minute))
			t.Logf("%+v", got)
			assert.Zero(t, got.Destroyed, "lines of the other program are neither in the file nor kept aside")
			assert.Zero(t, got.Concealed, "refused edits are in the file and the refusal did not say so")
			assert.Positive(t, got.Lines)
			assert.Positive(t, got.Edits)
		})
	}
}
