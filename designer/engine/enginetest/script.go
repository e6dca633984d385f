package enginetest

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	batchEnd     = regexp.MustCompile(`(?i)\n[ \t]*go[ \t]*\n`)
	statementEnd = regexp.MustCompile(`;[ \t]*\n[ \t]*\n`)
)

// statements takes a script apart: a statement ends with a semicolon before
// an empty line or, in a script that has such lines, with a line "GO".
func statements(script string) []string {
	script = strings.ReplaceAll(script, "\r\n", "\n") + "\n\n"
	parts := batchEnd.Split(script, -1)
	if len(parts) == 1 {
		parts = statementEnd.Split(script, -1)
	}
	var list []string
	for _, statement := range parts {
		if statement = strings.TrimSpace(statement); statement != "" {
			list = append(list, statement)
		}
	}
	return list
}

// Execute runs a script on one connection: its statements end with a semicolon
// before an empty line or, where it has such lines, with a line "GO".
func Execute(t testing.TB, db *sql.DB, script string) {
	t.Helper()
	execute(t, db, script)
}

// execute runs the script on one connection.
func execute(t testing.TB, db *sql.DB, script string) {
	t.Helper()
	ctx, cancel := patiently()
	defer cancel()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	for _, s := range statements(script) {
		_, err := c.ExecContext(ctx, s)
		require.NoError(t, err, "%s", s)
	}
}

var (
	lineComments = regexp.MustCompile(`(?m)^\s*--.*$`)
	comments     = regexp.MustCompile(`(?s)/\*.*?\*/`)
	// elsewhere are the statements that would leave the test's own database,
	// and those that are about rows.
	elsewhere = regexp.MustCompile(`(?is)^\s*((create|drop)\s+database|use\s|\\c\s|insert\s|set\s+identity_insert|if\s.*drop\s+database)`)
)

// Samples reads the structure, without the rows, of sample databases below
// the folder that BERTH_TEST_DATA names; none where it is not set.
func Samples(t testing.TB, files ...string) map[string]string {
	t.Helper()
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return nil
	}
	samples := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		script := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
		script = lineComments.ReplaceAllString(comments.ReplaceAllString(script, ""), "")
		if !batchEnd.MatchString(script) {
			script = strings.ReplaceAll(script, ";\n", ";\n\n") // one statement a line is enough there
		}
		var kept []string
		for _, s := range statements(script) {
			if !elsewhere.MatchString(s) {
				kept = append(kept, s)
			}
		}
		require.NotEmpty(t, kept, name)
		end := ";\n\n"
		if batchEnd.MatchString(script) {
			end = "\nGO\n"
		}
		samples[strings.TrimSuffix(filepath.Base(name), ".sql")] = strings.Join(kept, end)
	}
	return samples
}
