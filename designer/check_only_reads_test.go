package designer

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/e2e/long"
)

func TestRulesChangeNothingOfWhatTheyLookAt(t *testing.T) {
	refused := 0
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		for range rapid.IntRange(1, 40).Draw(rt, "edits") {
			e := editor{t: rt, s: s}.edit()
			before := snapshot(s)
			op, err := s.resolve(e)
			require.Equal(rt, before, snapshot(s), "looking up names")
			if err != nil {
				continue
			}
			x := &tx{state{s: s}}
			op.write(x)
			require.Equal(rt, before, snapshot(s), "writing to copies")
			request, drafts := fmt.Sprintf("%+v", op), drafted(x)
			if err := op.check(rules{x.state}); err != nil {
				refused++
			}
			require.Equal(rt, before, snapshot(s), "checking %+v", e)
			require.Equal(rt, drafts, drafted(x), "checking %+v", e)
			require.Equal(rt, request, fmt.Sprintf("%+v", op), "checking %+v", e)
			require.NoError(rt, s.Check())
			s.Apply(e)
		}
	})
	require.NotZero(t, refused)
}

// drafted copies what an edit has written so far.
func drafted(t *tx) []*Table {
	return mapEach(t.edited, func(c TableChange) *Table {
		if c.After == nil {
			return nil
		}
		return c.After.Clone()
	})
}
