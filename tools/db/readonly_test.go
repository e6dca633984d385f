package db

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planted are the files that attempts write, where the server is on this
// machine.
func planted(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "berth_pwn*"))
	require.NoError(t, err)
	return files
}

// nothingGetsThrough makes every attempt of a corpus, once through run-query
// and once past its check, and looks whether the database is as it was: after
// each attempt that the server heard of, and after every tenth of the others.
func nothingGetsThrough(t *testing.T, s served, attempts []string, fingerprint func(testing.TB) string, logins ...login) {
	t.Helper()
	require.GreaterOrEqual(t, len(attempts), 100, "a corpus has at least a hundred attempts")
	c := s.connect(t, Options{Timeout: 5 * time.Second}, logins...)
	d, err := c.database(c.opts.Connections[0])
	require.NoError(t, err)
	before := fingerprint(t)
	refused, failed, ran := 0, 0, []string{}
	for i, query := range attempts {
		r := c.call(t.Context(), "run-query", args(map[string]any{"query": query}))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_ = d.query(ctx, query, newResult(10, 1<<16)) // refused or harmless: the fingerprint tells
		cancel()
		if d.check(query, false) == nil || i%10 == 0 {
			require.Equal(t, before, fingerprint(t), "changed by %q: %v", query, r.Content)
		}
		switch {
		case strings.HasPrefix(r.Content[0], "refused ("):
			refused++
		case r.IsError:
			failed++
		default:
			ran = append(ran, query)
		}
	}
	require.Equal(t, before, fingerprint(t))
	t.Logf("%d attempts: %d refused, %d ended with an error, %d ran and changed nothing: %q", len(attempts), refused, failed, len(ran), ran)
	assert.GreaterOrEqual(t, refused, len(attempts)*9/10, "nearly all are refused by a rule that says why")
}

// harmlessIsAdmitted runs a list of queries of which none is refused.
func harmlessIsAdmitted(t *testing.T, s served, queries []string, fingerprint func(testing.TB) string, logins ...login) {
	t.Helper()
	c := s.connect(t, Options{}, logins...)
	before := fingerprint(t)
	for _, query := range queries {
		r := ask(t, c, query)
		assert.False(t, r.IsError, "%s: %v", query, r.Content)
	}
	assert.Equal(t, before, fingerprint(t))
}

// corpus reads a list of queries from readonly/testdata, one a line. {db} is
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

// script reads a file of readonly/testdata.
func script(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("readonly", "testdata", name))
	require.NoError(t, err)
	return strings.ReplaceAll(string(raw), "{dir}", os.TempDir())
}
