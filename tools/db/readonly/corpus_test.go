package readonly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// corpus reads a list of queries from testdata, one a line. {db} is
// the database's name in them, {dir} a folder that a server may write to.
func corpus(t testing.TB, name, database string) []string {
	t.Helper()
	replacer := strings.NewReplacer("⏎", "\n", "␍", "\r", "␀", "\x00", "{db}", database)
	var all []string
	for line := range strings.Lines(script(t, name)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			all = append(all, replacer.Replace(line))
		}
	}
	return all
}

// script reads a file of testdata.
func script(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return strings.ReplaceAll(string(raw), "{dir}", os.TempDir())
}
