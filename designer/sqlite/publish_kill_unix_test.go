//go:build unix

package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// killVariable tells the test binary that it is to die: "FILE|MOMENT", where
// a moment is two a step, before and after it.
const killVariable = "BERTH_TEST_SQLITE_KILL"

// killEdits make a plan with rows to copy, far more than the child's cache
// holds, so that much of it is in the file before the commit.
const killEdits = `[
	{"op":"set_column","table":{"name":"big"},"column":{"name":"text"},"set":{"name":"words","dataType":"VARCHAR","isNullable":false}},
	{"op":"set_table","table":{"name":"big"},"set":{"name":"large"}},
	{"op":"add_index","table":{"name":"large"},"index":{"name":"by_words","columns":["words"]}},
	{"op":"drop_table","table":{"name":"gone"}}]`

const killScript = `CREATE TABLE big (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO big (text) SELECT hex(randomblob(100)) FROM n;
CREATE TABLE gone AS SELECT * FROM big;
CREATE VIEW v AS SELECT text AS t FROM big;
CREATE TRIGGER r AFTER DELETE ON big BEGIN SELECT old.text; END;
`

func TestAKilledPublishLeavesTheDatabaseAsItWas(t *testing.T) {
	if job := os.Getenv(killVariable); job != "" {
		die(t, job)
		return
	}
	for _, mode := range []string{"delete", "wal"} {
		t.Run(mode, func(t *testing.T) {
			c := newChange(t, "PRAGMA journal_mode = "+mode+";"+killScript, killEdits)
			path := c.rows("SELECT file FROM pragma_database_list WHERE name = 'main'")[0]
			before, steps := c.dump(), len(c.plan().Steps)
			require.NoError(t, c.db.Close())
			hot := 0
			moments := make([]int, 2*steps)
			for i := range moments {
				moments[i] = i
			}
			moments = long.Sample(t, 6, moments)
			for i, moment := range moments {
				cmd := exec.Command(os.Args[0], "-test.run=^TestAKilledPublishLeavesTheDatabaseAsItWas$")
				cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d", killVariable, path, moment))
				out, err := cmd.CombinedOutput()
				require.ErrorContains(t, err, "signal: killed", "%s", out)
				if info, err := os.Stat(path + "-journal"); err == nil && info.Size() > 0 {
					hot++
				}
				c.db, err = sql.Open("sqlite", fileURI(path))
				require.NoError(t, err)
				require.Equal(t, before, c.dump(), "killed at moment %d", moment)
				require.Equal(t, []string{"ok"}, c.rows("PRAGMA integrity_check"))
				if i < len(moments)-1 {
					require.NoError(t, c.db.Close())
				}
			}
			if mode == "delete" {
				assert.NotZero(t, hot, "no child has written to the file before it died: the test shows nothing")
			}
			c.publish()
			require.NoError(t, c.db.Close())
		})
	}
}

// die publishes the design of killEdits and is killed at a moment of that.
func die(t *testing.T, job string) {
	path, at, _ := strings.Cut(job, "|")
	moment, err := strconv.Atoi(at)
	require.NoError(t, err)
	db, err := sql.Open("sqlite", fileURI(path)+"?_pragma=cache_size(10)&_pragma=cache_spill(10)")
	require.NoError(t, err)
	c := &change{t: t, db: db}
	c.from = c.read()
	c.to = adopt(t, c.from, c.inspect())
	list, refused := edits.Decode([]byte(killEdits))
	require.Nil(t, refused)
	for _, e := range list {
		_, refused := c.to.Apply(e)
		require.Nil(t, refused)
	}
	told := 0
	err = Engine{}.Publish(context.Background(), db, c.plan(), 0, func(int, bool) error {
		if told == moment {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		told++
		return nil
	})
	require.FailNow(t, "survived", "%v", err)
}
