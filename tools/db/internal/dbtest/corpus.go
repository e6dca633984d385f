package dbtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Corpus reads a list of queries from a file, one a line. {db} is the
// database's name in them, {dir} a folder that a server may write to.
func Corpus(t testing.TB, file, database string) []string {
	t.Helper()
	replacer := strings.NewReplacer("⏎", "\n", "␍", "\r", "␀", "\x00", "{db}", database)
	var all []string
	for line := range strings.Lines(Script(t, file)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			all = append(all, replacer.Replace(line))
		}
	}
	return all
}

// Script reads a file of statements; {dir} in it is a folder that a server may
// write to.
func Script(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.FromSlash(file))
	require.NoError(t, err)
	return strings.ReplaceAll(string(raw), "{dir}", os.TempDir())
}
