package db

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestACallMeansTheOnlyConnectionOfTheLowestRank(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "stray.db", "CREATE TABLE in_stray (x)")
	dbtest.SQLite(t, root, "a.db", "CREATE TABLE in_a (x)")
	dbtest.SQLite(t, root, "b.db", "CREATE TABLE in_b (x)")
	a, b := pool.Config{Name: "a", Path: "a.db"}, pool.Config{Name: "b", Path: "b.db"}
	ranked := func(cfg pool.Config, rank int) pool.Config { cfg.Rank = rank; return cfg }
	for _, tt := range []struct {
		name string
		list []pool.Config
		want string
	}{
		{"the settings' before one found", []pool.Config{ranked(b, pool.RankFound), a}, `["in_a"]`},
		{"a listed one before one found", []pool.Config{ranked(b, pool.RankFound), ranked(a, pool.RankListed)}, `["in_a"]`},
		{"one found in a file before stray SQLite files", []pool.Config{ranked(b, pool.RankFound)}, `["in_b"]`},
		{"two of one rank are a question", []pool.Config{ranked(b, pool.RankFound), ranked(a, pool.RankFound)},
			"this project has several databases; say which with the argument connection: b, a, stray.db. A person makes one the default with default: in .berth/config.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := connections(t, root, settings{Connections: tt.list}).call(t.Context(), "get-tables", "{}")
			assert.Equal(t, []string{tt.want}, r.Content)
		})
	}
}
