package db

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// orphaning has the test binary run a query that does not end, as another
// process, which is then killed.
const orphaning = "BERTH_TEST_ORPHAN"

type orphan struct {
	Dialect, Host, Instance, User, Password, Database, SSLMode string
	Port                                                       int
	Params                                                     map[string]string
	Query                                                      string
}

func orphanOf(t *testing.T, cfg pool.Config, query string) orphan {
	a := cfg.Address
	password, err := a.Password(t.Context())
	require.NoError(t, err)
	return orphan{cfg.Dialect, a.Host, a.Instance, a.User, password, a.Database, a.SSLMode, a.Port, a.Params, query}
}

func (o orphan) config() pool.Config {
	return pool.Config{Name: "app", Dialect: o.Dialect, Address: dial.Address{Host: o.Host, Port: o.Port, Instance: o.Instance, User: o.User,
		Password: dbtest.Constant(o.Password), Database: o.Database, SSLMode: o.SSLMode, Params: o.Params}}
}

func runOrphan(t *testing.T, encoded string) {
	var o orphan
	require.NoError(t, json.Unmarshal([]byte(encoded), &o))
	c := connections(t, t.TempDir(), settings{Connections: []pool.Config{o.config()}, NoDiscovery: true})
	t.Fatal("the query ended:", ask(t, c, o.Query).Content)
}

// TestTheQueryOfAKilledInstanceEnds: PostgreSQL notices that the client is
// gone; MySQL does not, and the next instance ends what the last one left.
func TestTheQueryOfAKilledInstanceEnds(t *testing.T) {
	if encoded := os.Getenv(orphaning); encoded != "" {
		runOrphan(t, encoded)
	}
	for _, e := range endureds() {
		t.Run(e.name, func(t *testing.T) {
			s := e.make(t)
			encoded, err := json.Marshal(orphanOf(t, s.config, e.endless))
			require.NoError(t, err)
			child := exec.Command(os.Args[0], "-test.run=^TestTheQueryOfAKilledInstanceEnds$")
			child.Env = append(os.Environ(), orphaning+"="+string(encoded))
			require.NoError(t, child.Start())
			defer func() { _ = child.Process.Kill() }()
			var session int
			require.Eventually(t, func() bool { return s.Owner.QueryRowContext(t.Context(), e.atEndless).Scan(&session) == nil },
				20*time.Second, 20*time.Millisecond, "it is under way")
			require.NoError(t, child.Process.Kill())
			_ = child.Wait() // killed
			r := ask(t, s.connect(t, settings{}), "SELECT 1")
			assert.False(t, r.IsError, r.Content)
			assert.Eventually(t, func() bool { return s.Count(t, e.running) == 0 }, 15*time.Second, 100*time.Millisecond, "the server works on")
		})
	}
}
