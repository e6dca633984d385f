package designer

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/e2e/long"
)

// TestTheOrderOfTablesIsKeptThroughEdits: tables are kept in order from the
// first time that somebody asks, which must not show.
func TestTheOrderOfTablesIsKeptThroughEdits(t *testing.T) {
	names := []string{"a", "A", "b", "B", "aa", "Ab", "z"}
	long.Check(t, func(t *rapid.T) {
		s := New(serverDialect(), nil)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			id := ID(rapid.SampledFrom(names).Draw(t, "id"))
			before := s.ByID(id)
			var after *Table
			if before == nil || rapid.Bool().Draw(t, "keep") {
				after = &Table{ID: id, Schema: rapid.SampledFrom(names).Draw(t, "schema"), Name: rapid.SampledFrom(names).Draw(t, "name")}
			}
			s.put([]TableChange{{Before: before, After: after}})
			if rapid.Bool().Draw(t, "ask") {
				asked := s.Tables()
				assert.Equal(t, sorted(slices.Collect(maps.Values(s.entries))), asked)
				clear(asked) // it is the caller's
			}
		}
		assert.Equal(t, sorted(slices.Collect(maps.Values(s.entries))), s.Tables())
	})
}
