package journal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// history makes a journal of n entries, with what two clients wrote down.
func history(n int) (entries []Entry, told []Told, seen []Seen) {
	previous := ""
	for i := range n {
		e := Entry{Seq: uint64(i) + 1, ID: fmt.Sprintf("id-%d", i), Previous: previous, Body: fmt.Append(nil, "body ", i)}
		previous = e.Hash()
		entries = append(entries, e)
		told = append(told, Told{Client: "ann", ID: e.ID, Outcome: Committed, At: e.Position()})
		seen = append(seen, Seen{Client: "ben", At: e.Position()})
	}
	told = append(told, Told{Client: "ben", ID: "id-lost", Outcome: Lost}, Told{Client: "ben", ID: "id-unknown", Outcome: Unknown})
	return entries, told, seen
}

func TestAWholeHistoryHasNoFault(t *testing.T) {
	assert.Empty(t, Check(history(20)))
	assert.Empty(t, Check(nil, nil, nil))
}

// A checker is worth what it finds: each way in which a broker could lose or
// change something is played here.
func TestATamperedJournalIsFound(t *testing.T) {
	renumber := func(entries []Entry) []Entry {
		for i := range entries {
			entries[i].Seq = uint64(i) + 1
		}
		return entries
	}
	for name, c := range map[string]struct {
		tamper func(entries []Entry) []Entry
		says   string
	}{
		"an acknowledged entry at the end is gone": {
			func(e []Entry) []Entry { return e[:len(e)-1] }, "lost: entry id-19, acknowledged to ann at 20, is not in the journal"},
		"one in the middle is gone, the rest renumbered": {
			func(e []Entry) []Entry { return renumber(slices.Delete(e, 7, 8)) }, "lost: entry id-7,"},
		"one in the middle is gone": {
			func(e []Entry) []Entry { return slices.Delete(e, 7, 8) }, "entry 8 of the journal has sequence 9"},
		"two changed places": {
			func(e []Entry) []Entry { e[4], e[5] = e[5], e[4]; return renumber(e) }, "forked: entry id-4,"},
		"a body is another": {
			func(e []Entry) []Entry { e[3].Body = []byte("other"); return e }, "forked: ben applied something else at 4"},
		"a body is another, and the chain was made to fit": {
			func(e []Entry) []Entry {
				e[3].Body = []byte("other")
				for i := 4; i < len(e); i++ {
					e[i].Previous = e[i-1].Hash()
				}
				return e
			}, "forked: entry id-19,"},
		"an id is there twice": {
			func(e []Entry) []Entry { e[9].ID = "id-3"; return e }, "entries 4 and 10 have the id id-3"},
		"a refused entry is there": {
			func(e []Entry) []Entry {
				return append(e, Entry{Seq: 21, ID: "id-lost", Previous: e[19].Hash()})
			}, "entry id-lost, which ben was told is lost, is at 21"},
		"the journal is empty": {
			func([]Entry) []Entry { return nil }, "lost: ben applied an entry 1, which the journal does not have"},
	} {
		t.Run(name, func(t *testing.T) {
			entries, told, seen := history(20)
			assert.Contains(t, Report(Check(c.tamper(entries), told, seen), 1000), c.says)
		})
	}
}

func TestAReportIsBounded(t *testing.T) {
	assert.Equal(t, "a\nb\nand 1 more", Report([]string{"a", "b", "c"}, 2))
	assert.Equal(t, "a", Report([]string{"a"}, 2))
}
