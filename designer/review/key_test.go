package review

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAKeySelectsWhatIsBelowIt(t *testing.T) {
	for _, c := range []struct {
		key, other string
		want       bool
	}{
		{"t", "t", true}, {"t", "t//name", true}, {"t", "t/c/type", true}, {"t", "u", false}, {"t", "/y", false},
		{"t/c", "t/c/type", true}, {"t/c", "t/d", false}, {"t/c", "t", false},
		{"t//name", "t//name", true}, {"t//name", "t//comment", false}, {"t/c/type", "t/c", false},
		{"/y", "/y", true}, {"/y", "/z", false}, {"/y", "t/y", false},
	} {
		key, err := ParseKey(c.key)
		require.NoError(t, err)
		other, err := ParseKey(c.other)
		require.NoError(t, err)
		assert.Equal(t, c.want, key.Selects(other), "%s of %s", c.key, c.other)
	}
	for _, bad := range []string{"", "/", "//", "//name", "a/b/c/d"} {
		_, err := ParseKey(bad)
		assert.ErrorContains(t, err, "a key is <table>", bad)
	}
}

func TestWhatIsAcceptedOfStepsThatAreGoneIsForgotten(t *testing.T) {
	a := Accepted{}
	a.Accept(4, nil)
	a.Accept(9, []Key{{Table: "t"}, {Table: "u", Part: "c"}})
	assert.Equal(t, int64(9), a.upTo(Key{Table: "t", Part: "c", Field: fieldType}))
	assert.Equal(t, int64(4), a.upTo(Key{Table: "u"}))
	assert.False(t, a.Forget(1, 9))
	assert.True(t, a.Forget(1, 6), "7 to 9 are other steps now")
	assert.Equal(t, int64(6), a.upTo(Key{Table: "t"}))
	assert.True(t, a.Forget(8, 9), "6 is no step any more")
	assert.Equal(t, int64(4), a.upTo(Key{Table: "t"}))
	assert.True(t, a.Forget(0, 0))
	assert.Equal(t, Accepted{Keys: map[string]int64{}}, a)
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"t", "t/c", "t/c/type", "t//name", "/y", "", "/", "a/b/c/d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := ParseKey(text)
		if err != nil {
			return
		}
		again, err := ParseKey(k.String())
		require.NoError(t, err)
		require.Equal(t, k, again)
	})
}
