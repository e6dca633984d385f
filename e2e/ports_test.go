package e2e

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With the defaults of a user's machine: a foreign program on 50001 moves the
// instance on, without a word.
func TestForeignListenerOn50001MovesTheInstanceToTheNextPort(t *testing.T) {
	w := newWorld(t)
	w.env = without(w.env, "BERTH_FIRST_PORT")
	if l, err := net.Listen("tcp", "127.0.0.1:50001"); err == nil {
		defer l.Close() // else somebody else is the foreign listener: as good
	}
	want := 50002
	for !free(want) {
		want++
	}
	root := w.project("app", twoTables)
	in := w.serve(root)
	assert.Equal(t, want, in.Port)
	assert.Equal(t, map[string]int{root: want}, w.portMap())
	assert.Equal(t, fmt.Sprintf("http://127.0.0.1:%d", want), strings.TrimSuffix(in.URL, "/"))
	assert.Empty(t, in.stderr.String(), "moving on is silent")
}

func TestProjectGetsItsPortBackAlsoWhenOthersStartedMeanwhile(t *testing.T) {
	w := newWorld(t)
	a, b, c := w.project("a", ""), w.project("b", ""), w.project("c", "")
	first := w.serve(a)
	require.Equal(t, w.first, first.Port)
	second := w.serve(b)
	require.Equal(t, w.first+1, second.Port)

	first.stop()
	assert.Equal(t, map[string]int{b: second.Port}, w.portMap(), "the entry goes with a clean stop")

	third := w.serve(c)
	assert.Equal(t, w.first+2, third.Port, "the free port is reserved for a")
	again := w.serve(a)
	assert.Equal(t, first.Port, again.Port)
	assert.Equal(t, map[string]int{a: again.Port, b: second.Port, c: third.Port}, w.portMap())
}

func TestAssignedPortTakenByAForeignerMeanwhile(t *testing.T) {
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	in.stop()
	w.occupy(in.Port)
	again := w.serve(root)
	assert.NotEqual(t, in.Port, again.Port)
	assert.Equal(t, map[string]int{root: again.Port}, w.portMap())
	assert.Empty(t, again.stderr.String())
}

func TestSymlinkAndFolderAreOneProject(t *testing.T) {
	w := newWorld(t)
	root := w.project("app", "CREATE TABLE kept (id INTEGER PRIMARY KEY)")
	link := w.dir + "/link"
	symlink(t, root, link)
	in := w.serve(link)
	assert.Equal(t, root, in.ProjectRoot)
	got := w.agent().ask(link, "get-tables", nil)
	assert.Equal(t, `["kept"]`, got.text())
}

// crowd starts n instances at once, each in a process of its own, and
// returns those that came up.
func crowd(w *world, n int) []*instance {
	roots := make([]string, n)
	for i := range roots {
		roots[i] = w.project("p"+strconv.Itoa(i), "")
	}
	var (
		mu  sync.Mutex
		all []*instance
		bad []error
		wg  sync.WaitGroup
	)
	for _, root := range roots {
		wg.Go(func() {
			in, err := w.tryServe(root)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				bad = append(bad, err)
				return
			}
			all = append(all, in)
		})
	}
	wg.Wait()
	require.Empty(w.t, bad)
	return all
}

func TestSixtyFourInstancesStartedAtOnceGetSixtyFourPorts(t *testing.T) {
	w := newWorld(t)
	n := long.Rounds(64, 64)
	all := crowd(w, n)
	require.Len(t, all, n)
	want := map[string]int{}
	ports := map[int]bool{}
	for _, in := range all {
		want[in.ProjectRoot] = in.Port
		ports[in.Port] = true
	}
	assert.Len(t, ports, n, "each has a port of its own")
	assert.Equal(t, want, w.portMap(), "none is lost from the map")

	client := w.agent()
	for _, in := range all {
		got := client.ask(in.ProjectRoot, designer, map[string]any{"operation": "get_overview"})
		assert.Contains(t, got.text(), "no_active_designer", "each answers for itself")
	}
}

func TestHalfOfSixtyFourKilledAtRandomLeavesAValidMap(t *testing.T) {
	w := newWorld(t)
	dice := long.Dice(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	killed := map[string]bool{}
	var alive []*instance
	n := long.Rounds(64, 64)
	for i := range n {
		root := w.project("p"+strconv.Itoa(i), "")
		die, after := i%2 == 0, time.Duration(dice.IntN(400))*time.Millisecond
		wg.Go(func() {
			if die {
				// Killed wherever it is by then: before, in or after its claim.
				killSoon(w, root, after)
				mu.Lock()
				defer mu.Unlock()
				killed[root] = true
				return
			}
			in, err := w.tryServe(root)
			mu.Lock()
			defer mu.Unlock()
			if assert.NoError(t, err) {
				alive = append(alive, in)
			}
		})
	}
	wg.Wait()
	require.Len(t, alive, n/2)
	m := w.portMap()
	ports := map[int]string{}
	for _, in := range alive {
		assert.Equal(t, in.Port, m[in.ProjectRoot], "a survivor's entry")
	}
	for root, port := range m {
		assert.Empty(t, ports[port], "port %d is named twice", port)
		ports[port] = root
	}
	client := w.agent()
	for root := range killed {
		got := client.ask(root, "get-tables", nil)
		assert.True(t, got.isError)
		assert.Equal(t, "MCP server not running for project: "+root, got.text())
	}
	for root := range killed {
		in, err := w.tryServe(root) // each comes up again after its crash
		require.NoError(t, err)
		assert.Equal(t, in.Port, w.portMap()[root])
		break
	}
}

func TestStoppedAndCrashedProjectsAnswerTheSameExactText(t *testing.T) {
	w := newWorld(t)
	stopped, crashed, never := w.project("stopped", ""), w.project("crashed", ""), w.project("never", "")
	w.serve(stopped).stop()
	w.serve(crashed).kill()
	assert.Contains(t, w.portMap(), crashed, "a crash leaves its entry")
	client := w.agent()
	for _, root := range []string{stopped, crashed, never} {
		got := client.ask(root, "get-tables", nil)
		assert.True(t, got.isError)
		assert.Equal(t, "MCP server not running for project: "+root, got.text())
		cli := w.berth("call", "get-tables", fmt.Sprintf(`{"projectRoot":%q}`, root))
		assert.Equal(t, 1, cli.code)
		assert.True(t, strings.HasPrefix(cli.stderr, got.text()+"\n"), cli.stderr)
		assert.Empty(t, cli.stdout)
	}
}

func TestProjectRootIsValidatedInTheDocumentsWords(t *testing.T) {
	w := newWorld(t)
	client := w.agent()
	for root, want := range map[string]string{
		"some/where":             "Error: projectRoot must be an absolute path",
		"":                       "Error: projectRoot must be an absolute path",
		w.dir + "/not/there/yet": "Error: projectRoot does not exist",
	} {
		got := client.ask(root, "get-tables", nil)
		assert.True(t, got.isError)
		assert.Equal(t, want, got.text(), "projectRoot %q", root)
	}
}
