package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal/stream"
	natsserver "github.com/berth-dev/berth/e2e/broker"
)

// BenchmarkTeamEdit is an edit's whole way, alone and through one broker that
// writes before it acknowledges. Run both in one call: the ratio counts.
func BenchmarkTeamEdit(b *testing.B) {
	edits := func(b *testing.B, d *Designer) {
		n := 0
		for b.Loop() {
			n++
			name := fmt.Sprint("c", n)
			apply(b, d, addColumn("A", name))
			apply(b, d, dropColumn("A", name))
		}
	}
	b.Run("alone", func(b *testing.B) {
		edits(b, newProject(b).show(newDatabase("db", tables(100)...)).renamed(b))
	})
	b.Run("team", func(b *testing.B) {
		ctx := context.Background()
		at := natsserver.Start(b, `jetstream { store_dir: "{store}", sync_interval: always }`)
		team, err := stream.Dial(ctx, stream.Options{URL: at.URL, User: "ann"})
		require.NoError(b, err)
		b.Cleanup(team.Close)
		d := newProject(b).show(newDatabase("db", tables(100)...)).renamed(b)
		id, genesis, err := d.Genesis("ann")
		require.NoError(b, err)
		j, err := team.Create(ctx, "shop", 1, id, genesis)
		require.NoError(b, err)
		_, err = d.Attach(ctx, j, "ann")
		require.NoError(b, err)
		edits(b, d)
	})
}

// renamed names the first table A.
func (d *Designer) renamed(b *testing.B) *Designer {
	apply(b, d, renameTable("T00000", "A"))
	return d
}
