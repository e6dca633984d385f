package presence

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// designs are those of the tests: one of connection main with two tables.
func designs(connection, table string) (name string, known bool) {
	if connection != "main" {
		return "", false
	}
	return map[string]string{"t1": "main.album", "t2": "main.track"}[table], true
}

// board returns a board, and how often it has said that it changed.
func board(t *testing.T) (*Board, *atomic.Int64) {
	t.Helper()
	said := new(atomic.Int64)
	b := New(Options{Self: Self{Person: "ann", Machine: "laptop", Project: "shop"}, Designs: designs, Changed: func() { said.Add(1) }})
	t.Cleanup(b.Close)
	return b, said
}

// brief is a list in a form that can be compared.
func brief(list []Entry) (out []string) {
	for _, e := range list {
		text := string(e.Kind) + " " + e.Program
		if e.Tool != "" {
			text += " " + e.Tool
		}
		if e.Table != nil {
			text += " " + e.Table.Name
		}
		for word, is := range map[string]bool{" edits": e.Editing, " away": e.Away, " runs": e.Running} {
			if is {
				text += word
			}
		}
		out = append(out, text)
	}
	return out
}

func TestABoardListsPagesAgentsAndProgramsUntilTheyAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := board(t)
		b.Saw(Page{Key: "k", ID: "p1", Program: "Firefox", Connection: "main", Table: "t1"})
		closed := b.Connected("f1")
		done := b.Began(Agent{ID: "f1", Name: "claude-code", Version: "2.1"}, "apply_edits")
		released := b.Holds("VS Code")
		assert.Equal(t, []string{"page Firefox main.album", "agent claude-code apply_edits runs", "program VS Code"}, brief(b.List()))
		done(Subject{Connection: "main", Table: "t2"})
		b.Saw(Page{Key: "k", ID: "p1", Program: "Firefox", Connection: "main", Table: "t1", Editing: true})
		assert.Equal(t, []string{"page Firefox main.album edits", "agent claude-code apply_edits main.track", "program VS Code"}, brief(b.List()))
		first := b.List()[0]
		assert.Equal(t, []string{"ann", "laptop", "shop", "main"}, []string{first.Person, first.Machine, first.Project, first.Connection})

		time.Sleep(2 * sayPause)
		b.Touch() // said at once: what comes now waits for the pause to end
		synctest.Wait()
		before := said.Load()
		require.Positive(t, before)
		closed()
		released()
		b.Saw(Page{Key: "k", ID: "p1", Gone: true})
		assert.Empty(t, b.List())
		time.Sleep(sayPause)
		synctest.Wait()
		assert.Equal(t, before+1, said.Load(), "three changes at once are said once")
	})
}

func TestWhoIsNotHeardOfIsForgottenWithoutBeingAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := board(t)
		b.Began(Agent{ID: "f1", Name: "agent"}, "get_overview")(Subject{})
		running := b.Began(Agent{ID: "f2", Name: "slow"}, "publish")
		b.Saw(Page{Key: "k", ID: "p1", Program: "Chrome"})
		time.Sleep(pageLife - time.Second)
		assert.Len(t, b.List(), 3)
		b.Saw(Page{Key: "k", ID: "p1", Program: "Chrome"}) // as its heartbeat does
		time.Sleep(pageLife - time.Second)
		assert.Len(t, b.List(), 3)
		before := said.Load()
		time.Sleep(2*time.Second + sayPause)
		synctest.Wait()
		assert.Greater(t, said.Load(), before, "the page has gone, and that is said")
		assert.Len(t, b.List(), 2)
		time.Sleep(2 * agentLife)
		synctest.Wait()
		assert.Equal(t, []string{"agent slow publish runs"}, brief(b.List()), "an agent is here for as long as its call runs")
		running(Subject{})
		time.Sleep(agentLife + sayPause)
		assert.Empty(t, b.List())
	})
}

// An idle board has no timer: nothing wakes the process.
func TestAnEmptyBoardWakesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := board(t)
		b.Saw(Page{Key: "k", ID: "p1"})
		b.Saw(Page{Key: "k", ID: "p1", Gone: true})
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Positive(t, said.Load())
		b.mu.Lock()
		defer b.mu.Unlock()
		assert.Nil(t, b.expiry)
		assert.Nil(t, b.saying)
	})
}

func TestABusyAgentIsSaidOnceInAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, said := board(t)
		for range 600 { // a minute
			b.Began(Agent{ID: "f1", Name: "agent"}, "get_table")(Subject{Connection: "main", Table: "t1"})
			time.Sleep(100 * time.Millisecond)
		}
		assert.LessOrEqual(t, said.Load(), int64(8), "it does the same all the time")
		assert.GreaterOrEqual(t, said.Load(), int64(4), "when it was last heard of is said")
	})
}

// A front-end closes connections that it has not used for a while, and lives.
func TestAnAgentWhoseConnectionIsClosedForWantOfUseIsStillHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := board(t)
		one, two := b.Connected("f1"), b.Connected("f1")
		b.Began(Agent{ID: "f1", Name: "agent"}, "get_table")(Subject{})
		one()
		assert.Len(t, b.List(), 1, "it has another connection")
		time.Sleep(90 * time.Second)
		two()
		assert.Len(t, b.List(), 1)
	})
}

func TestACommandIsHereWhileItsCallRuns(t *testing.T) {
	b, _ := board(t)
	done := b.Began(Agent{ID: "c", Name: "berth", Brief: true}, "publish")
	assert.Equal(t, []string{"agent berth publish runs"}, brief(b.List()))
	done(Subject{})
	assert.Empty(t, b.List())
}

func TestTheListIsBoundedAndCleaned(t *testing.T) {
	b, _ := board(t)
	for i := range 3 * maxEntries {
		b.Saw(Page{Key: "k", ID: fmt.Sprint(i), Program: "x\x1b[31m\u202e" + strings.Repeat("y", 500), Connection: "/home/ann/secret", Table: "t1"})
		b.Began(Agent{ID: fmt.Sprint("a", i), Name: "a\nb", Version: strings.Repeat("1", 500), Project: "shop", Machine: "m\x00"}, "get_table")(Subject{Connection: "main", Table: "nope"})
		b.Holds(strings.Repeat("z", 500))
	}
	list := b.List()
	assert.Len(t, list, 3*maxEntries)
	for _, e := range list {
		assert.LessOrEqual(t, len(e.Program), maxName)
		assert.LessOrEqual(t, len(e.Version), maxVersion)
		assert.NotRegexp(t, `[\x00-\x1f\x{202e}]`, e.Program+e.Machine)
		assert.NotContains(t, e.Connection, "secret", "a design that is not open")
		assert.Nil(t, e.Table)
		assert.Empty(t, e.From, "the instance's own project")
	}
	assert.Equal(t, fmt.Sprint(3*maxEntries-1), list[maxEntries-1].ID, "the newest are kept")
	for _, e := range list[maxEntries:] {
		assert.Regexp(t, `^(agent|program)-\d+$`, e.ID, "a front-end's id is not told")
	}
}

func TestAPageThatSaysWhatNoPageSaysIsRefused(t *testing.T) {
	for _, p := range []Page{{}, {ID: "a b"}, {ID: strings.Repeat("a", 65)}, {ID: "a", View: "Data<"}, {ID: "a", Connection: strings.Repeat("a", 1025)},
		{ID: "a", Table: strings.Repeat("a", 1025)}} {
		assert.Error(t, p.Check(), "%+v", p)
	}
	assert.NoError(t, Page{ID: "Ab_-1", View: "data"}.Check())
}

func TestARevokedKeyTakesItsPagesAlong(t *testing.T) {
	b, _ := board(t)
	b.Saw(Page{Key: "k1", ID: "p1"})
	b.Saw(Page{Key: "k2", ID: "p1"})
	b.Saw(Page{Key: "k2", ID: "p1", Gone: true})
	assert.Len(t, b.List(), 1, "a page of another key is another page")
	b.Revoked("k1")
	assert.Empty(t, b.List())
}
