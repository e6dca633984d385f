package enginetest

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// bench is a database of its own and the model of what it holds.
type bench struct {
	Target
	t    testing.TB
	db   *sql.DB
	dsn  string
	base *designer.Schema // as the database was read last
	fill rowCounts
}

// newBench makes an empty database.
func newBench(t testing.TB, target Target) *bench {
	t.Helper()
	b := &bench{Target: target, t: t, fill: rowCounts{}}
	b.db, b.dsn = target.Server.New(t)
	b.base = target.build(t, b.read())
	return b
}

// newShop makes a database with the shop, rows in every table.
func newShop(t testing.TB, target Target) *bench {
	t.Helper()
	b := newBench(t, target)
	execute(t, b.db, target.Shop)
	b.base = target.build(t, b.read())
	for _, table := range parentsFirst(b.base) {
		refused := b.insert(table, 8)
		require.Empty(t, refused, "rows for %s", table.Name)
	}
	return b
}

// with is the bench for a test within its test.
func (b *bench) with(t testing.TB) *bench {
	c := *b
	c.t = t
	return &c
}

// mark is the schema's now.
func (b *bench) mark() string {
	b.t.Helper()
	ctx, cancel := patiently()
	defer cancel()
	mark, err := b.Engine.Mark(ctx, b.db)
	require.NoError(b.t, err)
	return mark
}

// read reads the database as it is.
func (b *bench) read() designer.Definition {
	b.t.Helper()
	ctx, cancel := patiently()
	defer cancel()
	def, err := b.Engine.Inspect(ctx, b.db)
	require.NoError(b.t, err)
	return def
}

// design is a copy of the base, with its ids, to edit.
func (b *bench) design() *designer.Schema {
	b.t.Helper()
	s, err := designer.Restore(b.base.Dialect(), b.base.Tables(), &designer.Options{
		DefaultSchema: b.base.DefaultSchema(), Catalog: b.base.Catalog()})
	require.NoError(b.t, err)
	return s
}
