package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A design is begun without a database, edited by an agent, seen on the page,
// tried where it leaves nothing, and published to the database that a person
// names, which keeps what it had.
func TestADesignWithoutADatabaseReachesTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"sqlite", "postgres", "mysql"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := dialects[dialect](t, newWorld(t))
			s.run("new", "shop", "--dialect", dialect)
			in := s.serve(s.root)
			asked := make(chan string, 8)
			client := s.askingAgent("", func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked <- req.Params.Message
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve"}}, nil
			})
			table := func(name string) map[string]any { return map[string]any{"name": name} }
			column := func(name, kind string, key bool) map[string]any {
				return map[string]any{"name": name, "dataType": kind, "isPrimaryKey": key, "isNullable": !key}
			}
			shown := client.design(s.root, map[string]any{"operation": "show", "connectionName": "shop"})
			require.True(t, shown.Success, shown.text)
			assert.Contains(t, shown.text, `"server":"design","database":"shop"`)
			made := client.design(s.root, edits(shown.Version,
				map[string]any{"op": "add_table", "table": table("author"), "initialColumns": []any{column("id", "int", true), column("name", "varchar(40)", false)}},
				map[string]any{"op": "add_table", "table": table("book"), "initialColumns": []any{column("id", "int", true), column("author_id", "int", false)}},
				map[string]any{"op": "add_foreign_key", "table": table("book"), "foreignKey": map[string]any{"name": "fk_book_author",
					"referencedTable": table("author"), "mappings": []any{map[string]any{"column": "author_id", "referencedColumn": "id"}}}}))
			require.True(t, made.Success, made.text)
			list, err := json.Marshal(s.desk(in).get("/designs"))
			require.NoError(t, err)
			assert.Regexp(t, `"server":"design","sync":"proposed"`, string(list), "what the page lists")

			tried := client.design(s.root, map[string]any{"operation": "verify"})
			require.True(t, tried.Success, tried.text)
			where := "tried in a scratch database on the server of connection"
			if dialect == "sqlite" {
				where = "tried in a database in memory"
			}
			assert.Contains(t, tried.text, where)
			wrong := client.design(s.root, edits(made.Version, map[string]any{"op": "add_check", "table": table("book"),
				"check": map[string]any{"name": "ck", "expression": "no_function_of_this_name(id) > 0"}}))
			require.True(t, wrong.Success, wrong.text)
			refused := client.design(s.root, map[string]any{"operation": "verify"})
			assert.Equal(t, "database_refused", refused.Reason, refused.text)
			require.True(t, client.design(s.root, map[string]any{"operation": "undo"}).Success)
			assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"), "trying changes nothing")

			nowhere := client.design(s.root, map[string]any{"operation": "publish"})
			assert.Equal(t, "invalid_request", nowhere.Reason, nowhere.text)
			assert.Contains(t, nowhere.text, `"nearestNames":["main"]`)
			assert.Empty(t, asked, "nobody is asked without a target")
			done := client.design(s.root, map[string]any{"operation": "publish", "payload": map[string]any{"to": "main", "expectedVersion": made.Version}})
			require.True(t, done.Success, done.text)
			assert.Contains(t, <-asked, "author")
			s.exec("INSERT INTO author VALUES (1, 'Ada')", "INSERT INTO book VALUES (1, 1)")
			assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"), "what the database had stays")
			assert.NotContains(t, s.run("diff", "shop"), "no changes", "the design stays a proposal")
			assert.Equal(t, "no changes\n", s.run("diff", "main"))

			s.opensElsewhere(client, filepath.Join(s.root, ".berth", "designs", "shop.json"))
		})
	}
}

// opensElsewhere shows that the design's file is enough: another clone of the
// project has the tables.
func (s servedDatabase) opensElsewhere(client *agent, file string) {
	s.t.Helper()
	clone := s.project("clone", "")
	s.run("new", "shop", clone, "--dialect", s.dialect)
	require.Eventually(s.t, func() bool { // it is written a moment after the edit
		text, err := os.ReadFile(file)
		if err == nil {
			writeBelow(s.t, clone, ".berth/designs/shop.json", string(text))
		}
		return err == nil
	}, patience, 50*time.Millisecond)
	s.serve(clone)
	require.True(s.t, client.design(clone, map[string]any{"operation": "show"}).Success)
	require.Eventually(s.t, func() bool {
		return len(client.design(clone, map[string]any{"operation": "get_overview"}).Overview.Tables) == 2
	}, patience, 50*time.Millisecond)
}

func TestTypesOfADesignReachTheDatabaseThatIsNamed(t *testing.T) {
	t.Parallel()
	s := dialects["postgres"](t, newWorld(t))
	s.run("new", "shop", "--dialect", "postgres")
	s.serve(s.root)
	asked := make(chan string, 8)
	client := s.askingAgent("", func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked <- req.Params.Message
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve"}}, nil
	})
	shown := client.design(s.root, map[string]any{"operation": "show", "connectionName": "shop"})
	require.True(t, shown.Success, shown.text)
	made := client.design(s.root, edits(shown.Version,
		map[string]any{"op": "add_type", "type": map[string]any{"name": "genre", "values": []any{"novel", "poem"}}},
		map[string]any{"op": "add_table", "table": map[string]any{"name": "book"}, "initialColumns": []any{
			map[string]any{"name": "id", "dataType": "int", "isPrimaryKey": true}, map[string]any{"name": "genre", "dataType": "genre"}}}))
	require.True(t, made.Success, made.text)
	done := client.design(s.root, map[string]any{"operation": "publish", "payload": map[string]any{"to": "main", "expectedVersion": made.Version}})
	require.True(t, done.Success, done.text)
	assert.Contains(t, <-asked, "create type public.genre")
	s.exec("INSERT INTO book VALUES (1, 'poem')")

	main := client.design(s.root, map[string]any{"operation": "show", "connectionName": "main"})
	more := client.design(s.root, edits(main.Version, map[string]any{"op": "set_type", "type": map[string]any{"name": "genre"},
		"set": map[string]any{"addValues": []any{"play"}, "before": "poem", "renameValues": map[string]any{"novel": "story"}}}))
	require.True(t, more.Success, more.text)
	require.True(t, client.design(s.root, map[string]any{"operation": "undo"}).Success)
	require.True(t, client.design(s.root, map[string]any{"operation": "redo"}).Success)
	done = client.design(s.root, map[string]any{"operation": "publish"})
	require.True(t, done.Success, done.text)
	assert.Contains(t, <-asked, "add value play to type public.genre")
	assert.Equal(t, 3, s.count("SELECT count(*) FROM unnest(enum_range(NULL::genre))"))
	assert.Equal(t, "no changes\n", s.run("diff", "main"))
}
