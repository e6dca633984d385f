package schema_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/merge"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools"
)

// server is a real database that can be published to; what a test sets
// stands in the way.
type server struct {
	*source
	engine engine.Engine
	db     *sql.DB
	trial  error                             // of Verify
	broken func(step int, done bool) error   // during Publish
	plan   func(designer.Plan) designer.Plan // of Plan
}

// newServed is a world with one SQLite database of a script.
func newServed(t *testing.T, script string) *world {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "app.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.Exec(script)
	require.NoError(t, err)
	return newServedBy(t, sqlite.Engine{}, db, designer.Target{Server: "sqlite", Database: "app.db"})
}

// newServedBy is a world with one database of an engine.
func newServedBy(t *testing.T, e engine.Engine, db *sql.DB, target designer.Target) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), root: t.TempDir()}
	w.sources = []*source{{id: "app", name: "app", dialect: e.Dialect(), target: target}}
	w.server = &server{source: w.sources[0], engine: e, db: db}
	w.open()
	t.Cleanup(func() { require.NoError(t, w.manager.Close()) })
	return w
}

// newServerWorld is a world with an empty database of a real server.
func newServerWorld(t *testing.T, dialect string) *world {
	t.Helper()
	switch dialect {
	case "sqlite":
		return newServed(t, "")
	case "postgres":
		w := newServedBy(t, postgres.Engine{}, enginetest.PostgresDB(t), designer.Target{Server: "127.0.0.1:5432", Database: "app"})
		w.sources[0].schema = postgres.DefaultSchema
		return w
	case "mysql":
		w := newServedBy(t, mysql.Engine{}, enginetest.MySQLDB(t), designer.Target{Server: "127.0.0.1:3306", Database: "app"})
		w.sources[0].schema = "app"
		return w
	}
	require.Fail(t, "unknown server", dialect)
	return nil
}

func (s *server) Read(ctx context.Context) (designer.Definition, error) {
	if _, err := s.source.Read(ctx); err != nil {
		return designer.Definition{}, err
	}
	return s.engine.Inspect(ctx, s.db)
}

func (s *server) Rights(ctx context.Context) (designer.Rights, error) {
	if owned, is := s.engine.(engine.RightsReader); is {
		return owned.Rights(ctx, s.db)
	}
	return designer.Rights{}, errors.ErrUnsupported
}

func (s *server) Plan(d *designer.Diff) (designer.Plan, error) {
	p, err := s.engine.Plan(d)
	if s.plan != nil {
		p = s.plan(p)
	}
	return p, err
}

func (s *server) Script(d *designer.Schema) (designer.Plan, error) { return s.engine.Script(d) }

func (s *server) Verify(ctx context.Context, p designer.Plan, progress func(int, bool) error) error {
	if s.trial != nil {
		return s.trial
	}
	return s.engine.Verify(ctx, s.db, p, progress)
}

func (s *server) Publish(ctx context.Context, p designer.Plan, from int, g designer.Guard, progress func(int, bool) error) error {
	return s.engine.Publish(engine.WithGuard(ctx, g), s.db, p, from, func(step int, done bool) error {
		if s.broken != nil {
			if err := s.broken(step, done); err != nil {
				return err
			}
		}
		return progress(step, done)
	})
}

func (s *server) Locked(ctx context.Context) error {
	if reader, is := s.engine.(engine.LockReader); is {
		return reader.Locked(ctx, s.db)
	}
	return nil
}

func (s *server) Load(ctx context.Context, script string) (designer.LoadResult, error) {
	return s.engine.Load(ctx, s.db, script)
}

func dialects(name string) *designer.Dialect {
	for _, e := range engines() {
		if e.Dialect().Name == name {
			return e.Dialect()
		}
	}
	return nil
}

// answer is what tests look at in replies.
type answer struct {
	Success    bool
	Version    string
	Reason     string
	Message    string
	Sync       string
	Notes      []string
	Changes    []json.RawMessage
	Conflicts  []merge.Conflict
	Left       []json.RawMessage
	Total      int
	NextOffset int
	Plan       string
	Path       string
	text       string
	ask        *tools.Ask
}

// does makes a call and reads the reply.
func (w *world) does(operation, rest string, change func(*tools.Call)) answer {
	w.t.Helper()
	if rest != "" {
		rest = "," + rest
	}
	reply := w.call(`{"operation":"`+operation+`","projectRoot":"/home/ann/shop"`+rest+`}`, change)
	if reply.Ask != nil {
		return answer{ask: reply.Ask}
	}
	require.NotEmpty(w.t, reply.Content)
	a := answer{text: reply.Content[0]}
	require.NoError(w.t, json.Unmarshal([]byte(a.text), &a))
	return a
}

// edits opens the designer and makes edits.
func (w *world) edits(list string) {
	w.t.Helper()
	shown := w.does("show", "", nil)
	require.True(w.t, shown.Success, shown.text)
	done := w.does("apply_edits", `"payload":{"expectedVersion":"`+shown.Version+`","edits":[`+list+`]}`, nil)
	require.True(w.t, done.Success, done.text)
}

func (w *world) exec(script string) {
	w.t.Helper()
	_, err := w.server.db.Exec(script)
	require.NoError(w.t, err)
}

func asking(c *tools.Call) { c.Client.Name, c.Client.Elicitation = "berth", true }

// accepting is a yes to a question.
func accepting(ask *tools.Ask) func(*tools.Call) {
	return func(c *tools.Call) {
		asking(c)
		c.State, c.Answers = ask.State, approving(ask)
	}
}
