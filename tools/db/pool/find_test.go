package pool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
)

func TestASearchThatWasCutSaysSoWhereFilesAreMissed(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a", "a/b", "a/b/c"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o700))
	}
	dbtest.SQLite(t, root, "a/b/c/deep.db", "CREATE TABLE t (a)")
	c := connections(t, root, Options{})
	c.finder.Entries = 4
	const cut = "The search for SQLite files stopped after 4 files and folders, so there may be more: name a database that is missing here in .berth/config.yaml"

	_, err := c.Pick(t.Context(), "")
	assert.ErrorContains(t, err, cut, "the error of a call that means the only one")
	assert.Equal(t, []string{cut}, c.Notes())
	_, err = c.Pick(t.Context(), "deep.db")
	assert.ErrorContains(t, err, cut, "the error of a name that is not known")
}
