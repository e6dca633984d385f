package e2e

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// stateFile is a file of the one project's state of this world.
func (w *world) stateFile(name string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.home, "state", "*", "state.db"))
	require.NoError(w.t, err)
	require.Len(w.t, found, 1, "the state of one project")
	return filepath.Join(filepath.Dir(found[0]), name)
}

// serves requires that somebody answers for the project, now or soon.
func (w *world) serves(client *agent, root, msg string, args ...any) {
	w.t.Helper()
	require.EventuallyWithT(w.t, func(c *assert.CollectT) {
		got, err := client.try(w.t.Context(), root, designer, map[string]any{"operation": "get_overview"})
		require.NoError(c, err)
		require.Contains(c, got.text(), `"success":true`)
	}, patience/4, 10*time.Millisecond, append([]any{msg}, args...)...)
}

// A newcomer that is too old for the state ends before it asks for anything.
func TestANewcomerThatCannotReadTheStateLeavesTheInstanceServing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	db, err := sql.Open("sqlite", w.stateFile("state.db"))
	require.NoError(t, err)
	_, err = db.Exec("PRAGMA user_version = 4711")
	require.NoError(t, err)
	require.NoError(t, db.Close())

	_, err = w.tryServe(root)
	require.ErrorContains(t, err, "newer berth")
	assert.ErrorContains(t, err, fmt.Sprintf("process %d keeps serving %s", old.PID, root))
	w.serves(client, root, "the instance that could serve is gone")
	assert.Equal(t, map[string]int{root: old.Port}, w.portMap())
}

func TestANewcomerThatCannotLockTheMapLeavesTheInstanceServing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	lock := flock.New(filepath.Join(w.home, "ports.json.lock"))
	require.NoError(t, lock.Lock())
	defer lock.Unlock()

	_, err := w.tryServe(root)
	require.ErrorContains(t, err, "port map is locked")
	assert.ErrorContains(t, err, fmt.Sprintf("process %d keeps serving %s", old.PID, root))
	w.serves(client, root, "the instance that could serve is gone")
}

// A newcomer is killed somewhere between its start and its first answers: at
// a random moment, or as soon as it has taken the state, which is the worst.
func TestANewcomerThatIsKilledLeavesSomebodyServing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dice := long.Dice(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	version := client.design(root, map[string]any{"operation": "get_overview"}).Version

	rounds, resumed := long.Rounds(8, 40), 0
	for round := range rounds {
		newcomer := exec.Command(binary, "serve", root, "--json")
		newcomer.Env = w.env
		require.NoError(t, newcomer.Start())
		if round%2 == 0 {
			time.Sleep(time.Duration(dice.IntN(120)) * time.Millisecond) // the moment is the dice's
		} else {
			awaitPID(t, w.stateFile("state.pid"), newcomer.Process.Pid)
			resumed++
		}
		require.NoError(t, newcomer.Process.Kill())
		_ = newcomer.Wait()
		w.serves(client, root, "round %d: nobody serves the project", round)
		overview := client.design(root, map[string]any{"operation": "get_overview"})
		require.Equal(t, version, overview.Version, "round %d", round)
		require.Equal(t, map[string]int{root: old.Port}, w.portMap(), "round %d: pages and front-ends find it where it was", round)
	}
	t.Logf("%d newcomers killed, %d of them with the state in hand", rounds, resumed)
	old.stop()
	assert.Empty(t, w.portMap())
}

// awaitPID waits until the file names the process.
func awaitPID(t *testing.T, path string, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(path)
		return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(pid)
	}, patience, 100*time.Microsecond, "process %d never took the state", pid)
}

// A berth of before says nothing after it was let in. Where it does not come
// the instance serves again.
func TestAnInstanceServesAgainWhereItsOlderSuccessorDoesNotCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, old.URL+"/handover", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+w.token(old))
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	w.serves(client, root, "the instance did not come back")
	old.stop()
}

// Who is stopped at once after a takeover was meant to be: its predecessor
// does not step in.
func TestASuccessorThatIsStoppedAtOnceStaysStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	newer := w.serve(root)
	got := w.berth("stop", root)
	require.Equal(t, 0, got.code, got.stderr)
	newer.wait()
	old.wait()
	assert.Empty(t, w.portMap())
}
