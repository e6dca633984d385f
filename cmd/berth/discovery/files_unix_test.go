//go:build unix

package discovery_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/discovery"
)

func TestOnlyFilesOfTheProjectAreRead(t *testing.T) {
	outside := project(t, map[string]string{".env": "DATABASE_URL=mysql://u:hunter2@h/outside\n", "secret.db": "SQLITE"})
	root := project(t, map[string]string{
		"real/.env":       "DATABASE_URL=mysql://h/inside\n",
		"b/.env":          "DATABASE_URL=file:link.db\n",
		"c/compose.yaml":  "services:\n  db:\n    image: postgres\n    env_file: [../../outside.env]\n    ports: ['1:5432']\n",
		"d/schema.prisma": "datasource db {\n url = \"file:../real/.env\"\n}",
	})
	for link, target := range map[string]string{
		".env": filepath.Join(outside, ".env"), "b/link.db": filepath.Join(outside, "secret.db"), "folder": outside, "e": "real",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(root, link)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "compose.yaml"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(root, ".devdbrc")))

	r, err := discovery.Find(t.Context(), root)
	require.NoError(t, err)
	var names []string
	for _, c := range r.Connections {
		names = append(names, line(t, c))
	}
	assert.Equal(t, []string{"real-env = mysql |@h/inside (real/.env:1)", "d-prisma = sqlite real/.env (d/schema.prisma:2)",
		"c-compose-db = postgres postgres|@127.0.0.1:1/postgres (c/compose.yaml:2)"}, names,
		"what a file of the project names inside it may be tried: SQLite refuses what is no database")
	assert.Equal(t, []string{
		".devdbrc: cannot be read", ".env: cannot be read",
		"b/.env:1: names a SQLite file that is not there, or not in the project",
		"../outside.env: cannot be read",
	}, r.Notes)
	assert.Equal(t, []string{".", "b", "c", "d", "real"}, r.Folders)
}
