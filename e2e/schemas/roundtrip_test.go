package schemas_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/dbml"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/e2e/schemas"
)

// trip is one schema on its way out of berth and back.
type trip struct {
	engine engine.Engine
	server enginetest.Server
}

var trips = map[string]trip{
	"postgres": {engine: postgres.Engine{}, server: enginetest.Postgres()},
	"mysql":    {engine: mysql.Engine{}, server: enginetest.MySQL()},
	"sqlite":   {engine: sqlite.Engine{}, server: enginetest.SQLite()},
}

// steps are what a schema goes through; each returns what is wrong, "" for
// nothing.
var steps = map[string]func(*testing.T, trip, *designer.Schema, *sql.DB) string{
	"copy": copied,
	"sql":  importedSQL,
	"dbml": importedDBML,
	"json": importedJSON,
}

// TestRealShapesComeBackAsTheyAre takes each shape by itself through the
// formats.
func TestRealShapesComeBackAsTheyAre(t *testing.T) {
	for _, dialect := range slices.Sorted(maps.Keys(trips)) {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			tr := trips[dialect]
			db, _ := tr.server.New(t)
			for _, shape := range schemas.Shapes(dialect) {
				tr.empty(t, db)
				def := tr.make(t, db, schemas.Options{Tables: 1, Shapes: []string{shape}})
				for step := range steps {
					if !needsServer[step] { // others all at once: TestASchemaOfAllShapesComesBack
						assert.Empty(t, tr.run(t, db, def, step), "%s/%s/%s", dialect, step, shape)
					}
				}
			}
		})
	}
}

// needsServer are the steps that make databases, which takes its time.
var needsServer = map[string]bool{"copy": true, "sql": true}

// TestASchemaOfAllShapesComesBack takes all shapes, mixed, through SQL and
// JSON.
func TestASchemaOfAllShapesComesBack(t *testing.T) {
	for _, dialect := range slices.Sorted(maps.Keys(trips)) {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			tr := trips[dialect]
			db, _ := tr.server.New(t)
			def := tr.make(t, db, schemas.Options{Tables: 60})
			for _, step := range []string{"copy", "sql", "json"} {
				assert.Empty(t, tr.run(t, db, def, step), step)
			}
		})
	}
}

// The same seed is the same schema, on every machine.
func TestASeedIsASchema(t *testing.T) {
	for dialect := range trips {
		o := schemas.Options{Dialect: dialect, Seed: 3, Tables: 80}
		assert.Equal(t, schemas.Make(o), schemas.Make(o), dialect)
		made := strings.Count(strings.Join(schemas.Make(o), "\n"), "CREATE TABLE")
		assert.InDelta(t, 80, made, 20, dialect)
		o.Seed = 4
		assert.NotEqual(t, schemas.Make(schemas.Options{Dialect: dialect, Seed: 3, Tables: 80}), schemas.Make(o), dialect)
	}
}

// empty drops all that a schema before has made.
func (tr trip) empty(t *testing.T, db *sql.DB) {
	t.Helper()
	statements := map[string][]string{
		"postgres": {"DROP EVENT TRIGGER IF EXISTS noticed_1", "DROP PUBLICATION IF EXISTS changes_1", "DROP FOREIGN DATA WRAPPER IF EXISTS office_1_wrapper CASCADE",
			"DROP SCHEMA IF EXISTS archive_1 CASCADE", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public"},
	}[tr.server.Name]
	query := map[string]string{
		"mysql": "SELECT concat('DROP ', if(table_type = 'VIEW', 'VIEW', 'TABLE'), ' `', table_name, '`') FROM information_schema.tables WHERE table_schema = database() UNION ALL " +
			"SELECT concat('DROP ', routine_type, ' `', routine_name, '`') FROM information_schema.routines WHERE routine_schema = database()",
		"sqlite": "SELECT 'DROP ' || type || ' \"' || name || '\"' FROM sqlite_master s WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%' AND sql IS NOT NULL " +
			"AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND s.name LIKE v.name || '_%') ORDER BY type DESC",
	}[tr.server.Name]
	c, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer c.Close()
	if query != "" {
		rows, err := c.QueryContext(t.Context(), query)
		require.NoError(t, err)
		for rows.Next() {
			var statement string
			require.NoError(t, rows.Scan(&statement))
			statements = append(statements, statement)
		}
		require.NoError(t, errors.Join(rows.Err(), rows.Close()))
		off := map[string]string{"mysql": "SET foreign_key_checks = 0", "sqlite": "PRAGMA foreign_keys = OFF"}[tr.server.Name]
		statements = slices.Insert(statements, 0, off)
	}
	for _, statement := range statements {
		_, err := c.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	if tr.server.Name == "mysql" {
		_, err := c.ExecContext(t.Context(), "SET foreign_key_checks = 1")
		require.NoError(t, err)
	}
}

// make makes a schema and reads it.
func (tr trip) make(t *testing.T, db *sql.DB, o schemas.Options) designer.Definition {
	t.Helper()
	o.Dialect, o.Seed = tr.server.Name, 7
	for _, statement := range schemas.Make(o) {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, "the schema itself: %s", statement)
	}
	def, err := tr.engine.Inspect(t.Context(), db)
	require.NoError(t, err)
	return def
}

// run takes the schema through one step.
func (tr trip) run(t *testing.T, db *sql.DB, def designer.Definition, step string) string {
	t.Helper()
	s, err := designer.Build(tr.engine.Dialect(), def, nil)
	require.NoError(t, err)
	return steps[step](t, tr, s, db)
}

// copied makes a copy from the export and compares the two as berth reads
// them, objects and all.
func copied(t *testing.T, tr trip, s *designer.Schema, _ *sql.DB) string {
	plan, err := tr.engine.Script(s)
	if err != nil {
		return "no script: " + err.Error()
	}
	other, _ := tr.server.New(t)
	var wrong []string
	for _, step := range plan.Steps {
		if _, err := other.ExecContext(t.Context(), step.Statement); err != nil {
			wrong = append(wrong, err.Error()+" in: "+step.Statement)
		}
	}
	for _, note := range plan.Notes {
		if !isSecret(note) {
			wrong = append(wrong, "note: "+note)
		}
	}
	def, err := tr.engine.Inspect(t.Context(), other)
	require.NoError(t, err)
	again, err := designer.Build(tr.engine.Dialect(), def, nil)
	require.NoError(t, err)
	if again.Version() != s.Version() {
		wrong = append(wrong, "the copy has another version")
	}
	return strings.Join(append(wrong, lost(s, again)...), "\n")
}

// lost lists the views and objects of a that b does not have.
func lost(a, b *designer.Schema) (names []string) {
	for _, v := range a.Views() {
		if !slices.ContainsFunc(b.Views(), func(w designer.View) bool { return w.Name == v.Name }) {
			names = append(names, "lost view "+v.Name)
		}
	}
	for _, o := range a.Objects() {
		there := slices.ContainsFunc(b.Objects(), func(p designer.Object) bool { return p.Kind == o.Kind && p.Name == o.Name })
		if !there && o.Kind != designer.ObjectUserMapping && o.Kind != designer.ObjectOption {
			names = append(names, fmt.Sprintf("lost %s %s", o.Kind, o.Name))
		}
	}
	return names
}

func importedSQL(t *testing.T, tr trip, s *designer.Schema, db *sql.DB) string {
	plan, err := tr.engine.Script(s)
	if err != nil {
		return "no script: " + err.Error()
	}
	loaded, err := tr.engine.Load(context.Background(), db, plan.Script())
	if err != nil {
		return "load: " + err.Error()
	}
	return imported(tr, s, loaded.Definition)
}

func importedDBML(_ *testing.T, tr trip, s *designer.Schema, _ *sql.DB) string {
	loaded, err := dbml.ParseOver(dbml.Render(s), s)
	if err != nil {
		return "parse: " + err.Error()
	}
	return imported(tr, s, loaded.Definition)
}

func importedJSON(t *testing.T, tr trip, s *designer.Schema, _ *sql.DB) string {
	text, err := json.Marshal(s.Definition())
	require.NoError(t, err)
	var def designer.Definition
	require.NoError(t, json.Unmarshal(text, &def))
	return imported(tr, s, def)
}

// imported takes a definition over the schema that it came from: nothing must
// be left to publish.
func imported(tr trip, s *designer.Schema, def designer.Definition) string {
	base, err := designer.Restore(s.Dialect(), s.Tables(), &designer.Options{DefaultSchema: s.DefaultSchema(), Catalog: s.Catalog()})
	if err != nil {
		return "restore: " + err.Error()
	}
	if _, refused := s.Import(def, false); refused != nil {
		return "import: " + refused.Message
	}
	diff := designer.DiffOf(base, s)
	if diff.Empty() {
		return ""
	}
	plan, err := tr.engine.Plan(diff)
	if err != nil {
		return "plan: " + err.Error()
	}
	return "not empty: " + plan.Script()
}
