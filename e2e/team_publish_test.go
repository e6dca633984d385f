package e2e

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/broker"
)

// slowly has every statement that defines take a while, so that a test can meet
// a publish in the middle.
const slowly = `CREATE FUNCTION public.wait_a_bit() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.15); END';
CREATE EVENT TRIGGER wait_a_bit ON ddl_command_end EXECUTE FUNCTION public.wait_a_bit();`

// serverMate is a person with a project on a PostgreSQL database.
func serverMate(t *testing.T, url, name, dsn string) *mate {
	t.Helper()
	m := mateOf(t, url, name)
	m.root = m.project("shop", "")
	require.NoError(t, os.MkdirAll(filepath.Join(m.root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(m.root, ".berth", "config.yaml"),
		[]byte("publish: {unattended: true}\nconnections:\n  main:\n    url: "+dsn+"\n"), 0o644))
	m.open()
	return m
}

// shopOn makes the shop's tables in a PostgreSQL database.
func shopOn(t *testing.T, db *sql.DB) {
	t.Helper()
	_, err := db.Exec(shopTables + slowly)
	require.NoError(t, err)
}

// adds adds tables to a shared design, so that publishing takes a second or
// more.
func (m *mate) adds(t *testing.T, names ...string) {
	t.Helper()
	_, version := m.design()
	var list []map[string]any
	for _, name := range names {
		list = append(list, map[string]any{"op": "add_table", "table": map[string]any{"name": name},
			"initialColumns": []any{map[string]any{"name": "id", "dataType": "int", "isPrimaryKey": true}}})
	}
	r := m.agent.design(m.root, edits(version, list...))
	require.True(t, r.Success, r.text)
}

// publishing runs berth publish in another goroutine.
func (m *mate) publishing() <-chan commandResult {
	done := make(chan commandResult, 1)
	go func() { done <- m.berthIn(m.root, "publish", "--yes") }()
	return done
}

var fiveTables = []string{"t1", "t2", "t3", "t4", "t5"}

func TestTwoPublishToTheirOwnDatabasesAtOnce(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	var mates []*mate
	for _, name := range []string{"ann", "ben"} {
		db, dsn := enginetest.Postgres().New(t)
		shopOn(t, db)
		mates = append(mates, serverMate(t, b.URL, name, dsn))
	}
	mates[0].team("init", "shop")
	mates[1].team("attach", "shop")
	mates[0].adds(t, fiveTables...)
	agree(t, b.URL, mates...)
	both := []<-chan commandResult{mates[0].publishing(), mates[1].publishing()}
	for i, m := range mates {
		got := receive(t, both[i], m.name+"'s publish")
		assert.Zero(t, got.code, "%s: %s%s", m.name, got.stdout, got.stderr)
	}
	agree(t, b.URL, mates...)
	for _, m := range mates {
		reports := regexp.MustCompile(`published to (\S+) on \S+ by (ann|ben)`).FindAllStringSubmatch(m.team(), -1)
		require.Len(t, reports, 2, m.team())
		assert.NotEqual(t, reports[0][1], reports[1][1], "each names its database")
	}
}
