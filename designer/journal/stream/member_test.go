package stream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
)

// memberConf is the configuration that docs/teams.md gives.
func memberConf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "teams.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "```\nSHOP_MEMBER")
	require.True(t, ok, "docs/teams.md has the member's permissions")
	block, _, _ := strings.Cut(rest, "```")
	block = strings.NewReplacer("$ADMIN_PASSWORD", "a", "$ANN_PASSWORD", "b").Replace(block)
	return "SHOP_MEMBER" + block
}

func TestAMemberNeedsNoMore(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, memberConf(t))
	admin := dial(t, as(b, "admin:a"), "admin")
	create(t, admin)
	_, err := admin.Create(ctx, "other", 1, "genesis", []byte("genesis"))
	require.NoError(t, err)
	ann := dial(t, as(b, "ann:b"), "ann")
	j, err := ann.Open(ctx, "shop")
	require.NoError(t, err)
	at, err := j.Append(ctx, end(t, j), "one", []byte("edit"))
	require.NoError(t, err)
	at, err = j.Append(ctx, at, "large", []byte(strings.Repeat("0123456789abcdef", 1<<17)))
	require.NoError(t, err)
	for i := range 4 {
		require.NoError(t, j.SaveSnapshot(ctx, journal.Position{Seq: at.Seq - uint64(i%2), Hash: at.Hash}, []byte("state")))
	}
	got, data, err := j.Snapshot(ctx)
	require.NoError(t, err)
	assert.Equal(t, at, got)
	assert.Equal(t, "state", string(data))
	assert.Len(t, all(t, j), 3)
	stop, err := ann.Answer("shop", func() Present { return Present{Person: "ann"} }, nil)
	require.NoError(t, err)
	defer stop()
	require.NoError(t, ann.nc.Flush())
	for who, team := range map[string]*Team{"ann": ann, "admin": admin} {
		list, err := team.Who(ctx, "shop", nil)
		require.NoError(t, err)
		assert.Len(t, list, 1, who)
	}
	names, err := ann.List(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"other", "shop"}, names, "names alone")

	began := time.Now()
	_, err = ann.Open(ctx, "other")
	require.Error(t, err)
	assert.Contains(t, strings.ToLower(err.Error()), "permissions violation")
	assert.Empty(t, ann.denied(began, subjectOf("shop")))
}
