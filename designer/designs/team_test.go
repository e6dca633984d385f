package designs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/e2e/broker"
)

// The file of a shared design is written, and what others change there does not
// come in by itself: a pull would take back what the team has done.
func TestTheFileOfASharedDesignIsOnlyWritten(t *testing.T) {
	ctx := context.Background()
	p := newProject(t)
	d := p.boats()
	team, err := stream.Dial(ctx, stream.Options{URL: broker.Start(t).URL, User: "ann"})
	require.NoError(t, err)
	t.Cleanup(team.Close)
	id, genesis, err := d.Genesis("ann")
	require.NoError(t, err)
	j, err := team.Create(ctx, "shop", 1, id, genesis)
	require.NoError(t, err)
	_, err = d.Attach(ctx, j, "ann")
	require.NoError(t, err)
	t.Cleanup(d.Disconnect)

	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	version := d.Version()
	p.write("main.json", `{"format": 1, "dialect": "sqlite", "connection": "main", "tables": []}`)
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "it is said")
	assert.Contains(t, p.keeper.Problems()[0].Reason, `the design is team design "shop", which a file does not change; berth import .berth/designs/main.json brings it in as an edit`)
	assert.Equal(t, version, d.Version())
	apply(t, d, addTable("mast"))
	p.eventually(func() bool { return len(p.keeper.Problems()) == 0 }, "the design's next change is written")
	assert.Contains(t, p.read("main.json"), "mast")
}
