package enginetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqlite"
)

// saboteur is an engine that does one thing wrong.
type saboteur struct {
	engine.Engine
	plan    func(*designer.Plan)
	inspect func(*designer.Definition)
	verify  string // run beside verifying
	publish string // run after publishing
	refuse  bool   // to publish what was verified
}

func (s saboteur) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	def, err := s.Engine.Inspect(ctx, db)
	if s.inspect != nil {
		s.inspect(&def)
	}
	return def, err
}

func (s saboteur) Plan(d *designer.Diff) (designer.Plan, error) {
	p, err := s.Engine.Plan(d)
	if s.plan != nil {
		s.plan(&p)
	}
	return p, err
}

func (s saboteur) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	if err := s.Engine.Verify(ctx, db, p, progress); err != nil || s.verify == "" {
		return err
	}
	_, err := db.ExecContext(ctx, s.verify)
	return err
}

func (s saboteur) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	if s.refuse {
		return &designer.StepError{Err: sql.ErrTxDone}
	}
	if err := s.Engine.Publish(ctx, db, p, from, progress); err != nil || s.publish == "" {
		return err
	}
	_, err := db.ExecContext(ctx, s.publish)
	return err
}

// recorder is a test that may fail without failing the test it is in.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) FailNow() { runtime.Goexit() }

func (r *recorder) Helper() {}

// recorded returns what a test that does these things fails with.
func recorded(t *testing.T, test func(t testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return strings.Join(r.failures, "\n")
}

func TestWhatAnEngineDoesWrongIsFound(t *testing.T) {
	shop, err := os.ReadFile("../../sqlite/testdata/suite/shop.sql")
	require.NoError(t, err)
	idle := func(p *designer.Plan) { p.Steps = []designer.Step{{Statement: "SELECT 1", Comment: "do nothing"}} }
	tests := []struct {
		name, found string
		engine      saboteur
	}{
		{"nothing", "", saboteur{}},
		{"the plan does nothing", "published is not the design", saboteur{plan: idle}},
		{"there is no plan", "a plan for nothing, or none for something", saboteur{plan: func(p *designer.Plan) { p.Steps = nil }}},
		{"verifying leaves a table", "verifying changed the database", saboteur{verify: "CREATE TABLE left (a)"}},
		{"verifying drops a trigger", "verifying changed the database", saboteur{verify: "DROP TRIGGER products_price_audit"}},
		{"what was verified is refused", "verified, yet publishing failed", saboteur{refuse: true}},
		{"a row is lost", "rows of table notes", saboteur{publish: "DELETE FROM notes WHERE rowid = 1"}},
		{"a value is lost", "values of table notes", saboteur{publish: "UPDATE notes SET seen = -1 WHERE rowid = 1"}},
		{"values of a changed column are lost", "nulls of table customers", saboteur{publish: "UPDATE customers SET city = NULL"}},
		{"a trigger is lost", "triggers of table products", saboteur{publish: "DROP TRIGGER products_price_audit"}},
		{"a view is lost", "views", saboteur{publish: "DROP VIEW product_prices"}},
		{"an index is lost", "published is not the design", saboteur{publish: "DROP INDEX orders_open_ix"}},
		{"another table appears", "published is not the design", saboteur{publish: "CREATE TABLE other (a)"}},
		{"a name is read wrong", "verifying changed the database", saboteur{inspect: alternating()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.engine.Engine = sqlite.Engine{}
			target := Target{Engine: tt.engine, Server: SQLite(), DefaultSchema: "main", Shop: string(shop)}
			found := recorded(t, func(r testing.TB) {
				b := newShop(r, target)
				design := b.design()
				_, refused := design.Apply(designer.Edit{Op: designer.SetColumn, Table: designer.TableRef{Name: "customers"},
					ColumnRef: designer.ObjectRef{Name: "city"}, SetColumn: designer.ColumnSpec{MaxLength: new("77")}})
				require.Nil(r, refused)
				_, refusal := b.publish(design)
				require.NoError(r, refusal)
			})
			if tt.found == "" {
				assert.Empty(t, found)
				return
			}
			assert.Contains(t, found, tt.found)
		})
	}
}

// alternating reads a table's comment otherwise every third time.
func alternating() func(*designer.Definition) {
	n := 0
	return func(d *designer.Definition) {
		if n++; n%3 == 0 && len(d.Tables) > 0 {
			d.Tables[0].Comment = "now and then"
		}
	}
}

func TestAScriptIsTakenApart(t *testing.T) {
	assert.Equal(t, []string{"a;\nb", "c"}, statements("a;\nb;\n\n\nc;\n"))
	assert.Equal(t, []string{"a;\n\nb", "c"}, statements("a;\n\nb\nGO\nc\ngo\n"))
	assert.Empty(t, statements("\n\n"))
}

func TestDifferencesAreListedByName(t *testing.T) {
	a := designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{{Name: "a", DataType: "int"}, {Name: "b"}}}}}
	b := designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{{Name: "a", DataType: "text"}}}}}
	assert.Empty(t, differences(t, a, a))
	assert.Equal(t, "tables[t].columns[a].dataType: want \"int\", got \"text\"\n"+
		"tables[t].columns[b].dataType: want \"\", got nothing\ntables[t].columns[b].name: want \"b\", got nothing", differences(t, a, b))
}

func TestNumbersOfOneValueAreOne(t *testing.T) {
	assert.Equal(t, canonical("1.50"), canonical("1.5"))
	assert.Equal(t, canonical("-3"), canonical("-3.000"))
	assert.NotEqual(t, canonical("v1"), canonical("v1.0"))
}
