package engine

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScratchNamesSayWhoseTheyAre(t *testing.T) {
	const owner = "0123456789abcdef"
	now := time.Unix(0x6b02c81b, 0)
	for _, c := range []struct {
		name, owner string
		ok, stale   bool // as the name of one; without an owner and a day old
	}{
		{"berth_scratch_" + owner + "_6b02c81b_0123456789abcdef", owner, true, false},
		{"berth_scratch_" + owner + "_00000001_0123456789abcdef", owner, true, false}, // its owner's alone to drop
		{"berth_scratch_6b02c81b_0123456789abcdef", "", true, false},
		{"berth_scratch_6b00c81b_0123456789abcdef", "", true, true},                                                  // of an older version, MySQL
		{"berth_scratch_" + strconv.FormatInt(now.Unix()-90000, 36) + "_abcdefghijklmnopqrstuvwxyz", "", true, true}, // PostgreSQL
		{"berth_scratch_" + strconv.FormatInt(now.Unix()-3600, 36) + "_abcdefghijklmnopqrstuvwxyz", "", true, false},
		{"berth_scratch_0123456789abcdef", "", true, false}, // SQL Server: it has no time
		{"berth_scratch_of_mine", "", false, false},
		{"berth_scratch_", "", false, false},
		{"berth_scratch_a_b_c", "a", false, false},
		{"berth_scratch_0123456789ABCDEF_00000001_0123456789abcdef", "0123456789ABCDEF", false, false},
		{"production", "", false, false},
	} {
		owner, ok := ScratchOwner(c.name)
		assert.Equal(t, c.ok, ok, c.name)
		assert.Equal(t, c.owner, owner, c.name)
		assert.Equal(t, c.stale, ScratchStale(c.name, now), c.name)
	}
}

func TestAScratchDatabaseIsRecordedBeforeItIsMade(t *testing.T) {
	name, err := BeginScratch(context.Background())
	require.NoError(t, err)
	assert.Regexp(t, regexp.MustCompile(`^berth_scratch_[0-9a-f]{8}_[0-9a-f]{16}$`), name)
	EndScratch(context.Background(), name, nil)

	ended := map[string]bool{}
	var begun []string
	full := errors.New("no room")
	s := Scratch{Owner: "0123456789abcdef", End: func(name string, dropped bool) { ended[name] = dropped },
		Begin: func(name string) error {
			begun = append(begun, name)
			if len(begun) > 2 {
				return full
			}
			return nil
		}}
	ctx := WithScratch(context.Background(), s)
	first, err := BeginScratch(ctx)
	require.NoError(t, err)
	second, err := BeginScratch(ctx)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	EndScratch(ctx, first, nil)
	EndScratch(ctx, second, errors.New("in use"))
	assert.Equal(t, map[string]bool{first: true, second: false}, ended)
	assert.Equal(t, []string{first, second}, begun)
	owner, ok := ScratchOwner(first)
	assert.True(t, ok)
	assert.Equal(t, s.Owner, owner)
	assert.LessOrEqual(t, len(first), 63, "what PostgreSQL takes for a name")
	_, err = BeginScratch(ctx)
	assert.ErrorIs(t, err, full)
}
