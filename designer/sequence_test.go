package designer_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"

	"github.com/berth-dev/berth/e2e/long"
)

// parse reads "a>b c>d" as renames.
func parse(text string) []designer.Rename {
	var out []designer.Rename
	for _, word := range strings.Fields(text) {
		from, to, _ := strings.Cut(word, ">")
		out = append(out, designer.Rename{From: from, To: to})
	}
	return out
}

// counted returns temporary names t1, t2, ….
func counted() func(string) string {
	n := 0
	return func(string) string {
		n++
		return "t" + strconv.Itoa(n)
	}
}

func TestSequenceRenamesInAnOrderThatWorks(t *testing.T) {
	for name, c := range map[string]struct {
		renames, taken, want string
		detour               bool
	}{
		"nothing":                        {"", "a b", "", false},
		"as given":                       {"a>x b>y", "a b", "a>x b>y", false},
		"one waits for another":          {"a>b b>c", "a b", "b>c a>b", false},
		"two swap":                       {"a>b b>a", "a b", "a>t1 b>a t1>b", false},
		"a circle of three":              {"a>b b>c c>a", "a b c", "a>t1 c>a b>c t1>b", false},
		"a chain":                        {"x>a a>b b>y y>z", "x a b y", "y>z b>y a>b x>a", false},
		"what goes later is in the way":  {"a>b", "a b", "b>t1 a>b", false},
		"so it is at the end of a chain": {"x>a a>b", "x a b", "b>t1 a>b x>a", false},
		"a name's case":                  {"a>A", "a", "a>A", false},
		"a name's case by a detour":      {"a>A", "a", "a>t1 t1>A", true},
		"a swap by case":                 {"a>B b>A", "a b", "a>t1 b>A t1>B", false},
	} {
		t.Run(name, func(t *testing.T) {
			space := designer.Namespace{Fold: designer.Fold, Taken: strings.Fields(c.taken), CaseDetour: c.detour, Temporary: counted()}
			assert.Equal(t, parse(c.want), space.Sequence(parse(c.renames)))
		})
	}
}

func TestWithoutFoldingCaseIsAnotherName(t *testing.T) {
	space := designer.Namespace{Taken: []string{"a", "A"}, Temporary: counted()}
	assert.Equal(t, parse("A>b a>A"), space.Sequence(parse("a>A A>b")))
}

// Whatever is renamed: no step takes a name in use, every name is right in the
// end, and no more temporary names are used than circles and obstacles need.
func TestEverySequenceEndsWithTheRightNames(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		names := strings.Split("abcdefgh", "")
		count := rapid.IntRange(0, len(names)).Draw(t, "renamed")
		from := rapid.Permutation(names).Draw(t, "from")
		to := rapid.Permutation(names).Draw(t, "to")[:count]
		var renames []designer.Rename
		for i, name := range to {
			if upper := rapid.Bool().Draw(t, "upper"); upper {
				name = strings.ToUpper(name)
			}
			renames = append(renames, designer.Rename{From: from[i], To: name})
		}
		taken := from[:rapid.IntRange(count, len(from)).Draw(t, "taken")]
		detour := rapid.Bool().Draw(t, "detour")
		space := designer.Namespace{Fold: designer.Fold, Taken: taken, CaseDetour: detour, Temporary: counted()}
		play(t, renames, taken, detour, space.Sequence(renames))
	})
}

func play(t *rapid.T, renames []designer.Rename, taken []string, detour bool, steps []designer.Rename) {
	origin := map[string]string{} // by the name it has now
	for _, name := range taken {
		origin[name] = name
	}
	inUse := func(name string) string {
		for other := range origin {
			if strings.EqualFold(other, name) {
				return other
			}
		}
		return ""
	}
	temporary := 0
	for _, s := range steps {
		require.Contains(t, origin, s.From, "%v", steps)
		if by := inUse(s.To); by != "" {
			require.True(t, by == s.From && !detour, "%s collides in %v", s.To, steps)
		}
		origin[s.To] = origin[s.From]
		delete(origin, s.From)
		if strings.HasPrefix(s.To, "t") {
			temporary++
		}
	}
	for _, r := range renames {
		require.Equal(t, r.From, origin[r.To], "%v", steps)
	}
	require.LessOrEqual(t, temporary, needed(renames, taken, detour), "%v", steps)
}

// needed counts circles, names whose case alone changes where they take a
// detour, and wanted names of what is not renamed.
func needed(renames []designer.Rename, taken []string, detour bool) int {
	next := map[string]string{}
	for _, r := range renames {
		next[r.From] = strings.ToLower(r.To)
	}
	count := 0
	done := map[string]bool{}
	for _, r := range renames {
		var path []string
		at := r.From
		for ; next[at] != "" && !done[at]; at = next[at] {
			done[at] = true
			path = append(path, at)
		}
		switch {
		case slices.Contains(path, at) && (len(path) > 1 || detour && r.From != r.To):
			count++
		case next[at] == "" && !done[at] && slices.Contains(taken, at):
			done[at] = true
			count++
		}
	}
	return count
}
