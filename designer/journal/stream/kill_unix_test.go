//go:build unix

package stream

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/long"
)

// clientEnv makes the test binary a client that appends until it is killed.
const clientEnv = "BERTH_TEST_JOURNAL_CLIENT"

func TestMain(m *testing.M) {
	if url := os.Getenv(clientEnv); url != "" {
		if err := appendUntilKilled(url, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Brokers are waited for more than anything is computed. The command's own
	// -parallel still decides.
	_ = flag.Set("test.parallel", "4")
	os.Exit(m.Run())
}

// line is what a client writes down: one of the two.
type line struct {
	Told *journal.Told `json:",omitempty"`
	Seen *journal.Seen `json:",omitempty"`
}

// client is a replica that applies nothing but writes everything down.
type client struct {
	name string
	j    *Journal
	out  *json.Encoder

	mu sync.Mutex
	at journal.Position
}

func (c *client) write(l line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.out.Encode(l)
}

func (c *client) position() journal.Position {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// appendUntilKilled follows the journal and appends to it for as long as its
// process lives.
func appendUntilKilled(url string, out io.Writer) error {
	name := fmt.Sprint("client-", os.Getpid())
	var team *Team
	for { // the broker may be down just now
		var err error
		if team, err = Dial(ctx, Options{URL: url, User: name}); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	c := &client{name: name, out: json.NewEncoder(out)}
	for c.j == nil {
		c.j, _ = team.Open(ctx, "shop")
	}
	failed := make(chan error, 1)
	go func() {
		failed <- c.j.Follow(ctx, journal.Position{}, func(e journal.Entry) error {
			c.mu.Lock()
			c.at = e.Position()
			c.mu.Unlock()
			c.write(line{Seen: &journal.Seen{Client: name, At: e.Position()}})
			return nil
		})
	}()
	for {
		select {
		case err := <-failed:
			return err
		default:
		}
		if err := c.appendOne(); err != nil {
			return err
		}
	}
}

func (c *client) appendOne() error {
	after, told := c.position(), journal.Told{Client: c.name, ID: uuid.NewString()}
	if after.Seq == 0 {
		time.Sleep(time.Millisecond)
		return nil
	}
	short, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	at, err := c.j.Append(short, after, told.ID, []byte(c.name))
	var unknown *journal.UnknownError
	for errors.As(err, &unknown) {
		c.write(line{Told: &journal.Told{Client: c.name, ID: told.ID, Outcome: journal.Unknown}})
		longer, cancel := context.WithTimeout(ctx, time.Minute)
		at, err = unknown.Resolve(longer)
		cancel()
	}
	var unreachable *journal.UnreachableError
	switch {
	case err == nil:
		told.Outcome, told.At = journal.Committed, at
	case errors.Is(err, journal.ErrLost), errors.As(err, &unreachable):
		told.Outcome = journal.Lost
	default:
		return err
	}
	c.write(line{Told: &told})
	for deadline := time.Now().Add(time.Minute); c.position().Seq <= after.Seq && time.Now().Before(deadline) && unreachable == nil; {
		time.Sleep(100 * time.Microsecond)
	}
	return nil
}

// fleet is clients that are killed, stopped and started, and what they wrote
// down.
type fleet struct {
	t    *testing.T
	url  string
	dice *rand.Rand

	mu      sync.Mutex
	told    []journal.Told
	seen    []journal.Seen
	readers sync.WaitGroup
}

// member is one process.
type member struct {
	cmd *exec.Cmd
}

func (f *fleet) start() *member {
	f.t.Helper()
	exe, err := os.Executable()
	require.NoError(f.t, err)
	m := &member{cmd: exec.Command(exe)}
	m.cmd.Env = append(os.Environ(), clientEnv+"="+f.url)
	m.cmd.Stderr = os.Stderr
	out, err := m.cmd.StdoutPipe()
	require.NoError(f.t, err)
	require.NoError(f.t, m.cmd.Start())
	f.readers.Go(func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			var l line
			if json.Unmarshal(s.Bytes(), &l) != nil {
				break // the line that it was killed in
			}
			f.mu.Lock()
			if l.Told != nil {
				f.told = append(f.told, *l.Told)
			} else if l.Seen != nil {
				f.seen = append(f.seen, *l.Seen)
			}
			f.mu.Unlock()
		}
	})
	f.t.Cleanup(m.kill)
	return m
}

func (m *member) kill() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// committed counts what was acknowledged.
func (f *fleet) committed() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.told {
		if t.Outcome == journal.Committed {
			n++
		}
	}
	return n
}

// rampage kills and stops brokers and clients, so many times. down is how many
// brokers may be down at once.
func (f *fleet) rampage(brokers []*broker.Broker, rounds int) {
	members := []*member{f.start(), f.start(), f.start()}
	pause := func(most int) { time.Sleep(time.Duration(f.dice.IntN(most)) * time.Millisecond) }
	for range rounds {
		pause(700)
		b, i := brokers[f.dice.IntN(len(brokers))], f.dice.IntN(len(members))
		switch f.dice.IntN(4) {
		case 0:
			b.Kill()
			pause(300)
			b.Start()
		case 1:
			b.Stop()
			pause(5000)
			b.Continue()
		case 2:
			members[i].kill()
			members[i] = f.start()
		case 3:
			require.NoError(f.t, members[i].cmd.Process.Signal(syscall.SIGSTOP))
			pause(1500)
			require.NoError(f.t, members[i].cmd.Process.Signal(syscall.SIGCONT))
		}
	}
	before := f.committed()
	require.Eventually(f.t, func() bool { return f.committed() > before+20 }, time.Minute, 10*time.Millisecond, "it goes on after all of it")
	for _, m := range members {
		m.kill()
	}
	f.readers.Wait()
}

// check holds what every client wrote down against the journal.
func (f *fleet) check() {
	j, err := dial(f.t, f.url, "checker").Open(ctx, "shop")
	require.NoError(f.t, err)
	entries := all(f.t, j)
	outcomes := map[journal.Outcome]int{}
	for _, t := range f.told {
		outcomes[t.Outcome]++
	}
	f.t.Logf("%d entries; told: %v; %d applied", len(entries), outcomes, len(f.seen))
	assert.Empty(f.t, journal.Report(journal.Check(entries, f.told, f.seen), 20))
	// The checker is not blind to this journal. The entries past the newest that
	// a client wrote down are those whose clients were killed first.
	var newest uint64
	for _, s := range f.seen {
		newest = max(newest, s.At.Seq)
	}
	require.NotZero(f.t, newest)
	require.LessOrEqual(f.t, newest, uint64(len(entries)))
	assert.NotEmpty(f.t, journal.Check(entries[:newest-1], nil, f.seen), "a journal that lost its end")
}

func TestNothingAcknowledgedIsLostUnderKillsOfOneBroker(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	create(t, dial(t, b.URL, "creator"))
	f := &fleet{t: t, url: b.URL, dice: long.Dice(t)}
	f.rampage([]*broker.Broker{b}, long.Rounds(16, 400))
	f.check()
}

func TestNothingAcknowledgedIsLostUnderKillsOfThreeBrokers(t *testing.T) {
	t.Parallel()
	list := broker.Cluster(t, 3)
	url := broker.URLs(list)
	team := dial(t, url, "creator")
	require.Eventually(t, func() bool {
		_, err := team.Create(ctx, "shop", 3, "genesis", []byte("genesis"))
		return err == nil || errors.Is(err, ErrExists)
	}, patience, 100*time.Millisecond, "the three have a leader")
	f := &fleet{t: t, url: url, dice: long.Dice(t)}
	f.rampage(list, long.Rounds(12, 400))
	f.check()
}
