package session

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"

	"github.com/berth-dev/berth/designer"
)

// crashDir makes the test binary the process that is killed.
const crashDir = "BERTH_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := editUntilKilled(dir, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// report is a line of the process that is killed: one before each operation,
// one after it was acknowledged.
type report struct {
	Op      string // "apply", "undo", "redo"
	Done    bool
	Version string
	Undo    int
	Redo    int
	Seq     uint64
}

// editUntilKilled edits, undoes and redoes at random until it is killed.
func editUntilKilled(dir string, out io.Writer) error {
	store, err := OpenStore(dir)
	if err != nil {
		return err
	}
	m, err := NewManager(store, Options{Dialect: dialects})
	if err != nil {
		return err
	}
	d, ok := m.Active()
	if !ok {
		return fmt.Errorf("no design is active")
	}
	lines := json.NewEncoder(out)
	for {
		op := []string{"apply", "apply", "undo", "redo"}[rand.IntN(4)]
		if err := lines.Encode(report{Op: op}); err != nil {
			return err
		}
		result, err := operate(d, op)
		if err != nil {
			return err
		}
		info := d.Info()
		if err := lines.Encode(report{Op: op, Done: true, Version: result.Version,
			Undo: info.UndoSteps, Redo: info.RedoSteps, Seq: store.lastSeq()}); err != nil {
			return err
		}
	}
}

func operate(d *Designer, op string) (Outcome, error) {
	ctx := context.Background()
	switch op {
	case "undo":
		return d.Undo(ctx, Steps{Batch: true})
	case "redo":
		return d.Redo(ctx, Steps{Batch: true})
	}
	name := fmt.Sprintf("T%d", rand.Int64())
	return d.Apply(ctx, Batch{ExpectedVersion: d.Version(), Edits: []designer.Edit{
		addTable(name), addColumn(name, "a"), addColumn("Orders", name)}})
}

func (s *Store) lastSeq() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

func TestAKilledProcessLosesNothingItAcknowledged(t *testing.T) {
	rounds := long.Rounds(40, 400)
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	last := report{Done: true, Version: d.Version(), Seq: p.store.seq}
	for range rounds {
		require.NoError(t, p.Close())
		last = killedAtRandom(t, p.dir, last)
		p.open()
		last = checkSurvivor(t, p, last)
	}
	t.Logf("%d events in %d rounds", last.Seq, rounds)
}

// killedAtRandom starts the process, kills it after some operations, and
// returns what it said: the last line, where an operation without an answer
// carries the state acknowledged before it.
func killedAtRandom(t *testing.T, dir string, last report) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	acknowledged, after := 0, rand.IntN(12)
	var kill *time.Timer
	for lines.Scan() {
		var line report
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		if line.Done {
			last = line
			acknowledged++
		} else {
			last.Op, last.Done = line.Op, false
		}
		if acknowledged >= after && kill == nil { // somewhere within the next operations
			kill = time.AfterFunc(time.Duration(rand.Int64N(int64(8*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		}
	}
	require.NotNil(t, kill, "the process ended by itself")
	require.Error(t, cmd.Wait())
	return last
}

// checkSurvivor compares what is on disk with what was acknowledged. An
// operation that was not answered may have been committed, as a whole; taken
// back it leads to what was acknowledged.
func checkSurvivor(t *testing.T, p *project, last report) report {
	t.Helper()
	d, ok := p.Active()
	require.True(t, ok, "the active design is gone")
	got := modelOf(t, d)
	events := p.store.lastSeq()
	if !last.Done && events != last.Seq {
		require.Equal(t, last.Seq+1, events)
		back := d.Undo
		if last.Op == "undo" {
			back = d.Redo
		}
		out, err := back(t.Context(), Steps{Batch: true})
		require.NoError(t, err)
		require.Nil(t, out.Err)
		got = modelOf(t, d)
	}
	assert.Equal(t, last.Version, got.Info.Version)
	assert.Equal(t, last.Undo, len(got.Undo))
	if last.Done || last.Op != "apply" || events == last.Seq { // a new edit ended what could be redone
		assert.Equal(t, last.Redo, len(got.Redo))
	}
	return report{Done: true, Version: got.Info.Version, Undo: len(got.Undo), Redo: len(got.Redo), Seq: p.store.lastSeq()}
}
