package driver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// planted are the files that attempts write, where the server is on this
// machine.
func planted(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "berth_pwn*"))
	require.NoError(t, err)
	return files
}

// nothingGetsThrough makes every attempt of a corpus, once as run-query does
// and once past its check, and looks whether the database is as it was: after
// each attempt that the server heard of, and after every tenth of the others. It
// returns those that no rule refused.
func nothingGetsThrough(t *testing.T, s served, attempts []string, fingerprint func(testing.TB) string, logins ...dbtest.Login) (left []string) {
	t.Helper()
	require.GreaterOrEqual(t, len(attempts), 100, "a corpus has at least a hundred attempts")
	c := s.connect(t, logins...)
	before := fingerprint(t)
	failed, ran := []string{}, []string{}
	for i, query := range attempts {
		r := ask(t, c, query)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_ = c.Query(ctx, query, rowset.NewReply(10, 1<<16)) // refused or harmless: the fingerprint tells
		cancel()
		if c.Check(query, false) == nil || i%10 == 0 {
			require.Equal(t, before, fingerprint(t), "changed by %q: %v", query, r.Content)
		}
		switch {
		case strings.HasPrefix(r.Content[0], "refused ("):
		case r.IsError:
			failed = append(failed, query+": "+r.Content[0])
		default:
			ran = append(ran, query)
		}
	}
	require.Equal(t, before, fingerprint(t))
	left = append(failed, ran...)
	refused := len(attempts) - len(left)
	t.Logf("%d attempts: %d refused, %d ended with an error: %q, %d ran and changed nothing: %q", len(attempts), refused, len(failed), failed, len(ran), ran)
	assert.GreaterOrEqual(t, refused, len(attempts)*9/10, "nearly all are refused by a rule that says why")
	return left
}

// harmlessIsAdmitted runs a list of queries of which none is refused.
func harmlessIsAdmitted(t *testing.T, s served, queries []string, fingerprint func(testing.TB) string, logins ...dbtest.Login) {
	t.Helper()
	c := s.connect(t, logins...)
	before := fingerprint(t)
	for _, query := range queries {
		r := ask(t, c, query)
		assert.False(t, r.IsError, "%s: %v", query, r.Content)
	}
	assert.Equal(t, before, fingerprint(t))
}
