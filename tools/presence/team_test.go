package presence

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATeamHearsOfOneDesignAloneAndOfNoNames(t *testing.T) {
	b, _ := board(t)
	list, watched := b.Shared("main")
	assert.Empty(t, list)
	assert.False(t, watched)
	assert.Nil(t, Encode(list), "nobody is nothing")
	b.Saw(Page{Key: "secret-key", ID: "p1", Program: "Firefox", Connection: "main", Table: "t1", Away: true})
	b.Saw(Page{Key: "secret-key", ID: "p2", Program: "Firefox", Connection: "other", Table: "t9"})
	b.Began(Agent{ID: "f1", Name: "claude-code", Project: "web"}, "apply_edits")(Subject{Connection: "main", Table: "t2"})
	b.Began(Agent{ID: "f2", Name: "elsewhere"}, "fs_read_file")(Subject{})
	b.Holds("VS Code")
	list, watched = b.Shared("main")
	require.Len(t, list, 2)
	assert.False(t, watched, "nobody sees the page")
	raw := string(Encode(list))
	for _, secret := range []string{"secret-key", "main", "album", "p2", "t9", "elsewhere", "VS Code"} {
		assert.NotContains(t, raw, secret)
	}
	b.Saw(Page{Key: "secret-key", ID: "p1", Program: "Firefox", Connection: "main", Table: "t1"})
	_, watched = b.Shared("main")
	assert.True(t, watched)

	heard, err := Decode(Encode(list))
	require.NoError(t, err)
	of := Self{Person: "ben\n", Machine: "desk", Project: "shop"}
	placed := heard[1].Place(designs, of, "shop", "main", time.Second)
	assert.EqualValues(t, heard[1].HeardMs+1000, placed.HeardMs)
	assert.Equal(t, []string{"ben", "desk", "shop", "web", "main.track"}, []string{placed.Person, placed.Machine, placed.Team, placed.From, placed.Table.Name})
	placed = Entry{Kind: KindPage, Table: &Table{ID: "gone", Name: "made up"}, Editing: true}.Place(designs, of, "shop", "main", 0)
	assert.Nil(t, placed.Table, "a table that the design does not have")
	assert.False(t, placed.Editing)
}

func TestWhatAMemberSaysIsBoundedAndCleaned(t *testing.T) {
	many := make([]Entry, 200)
	for i := range many {
		many[i] = Entry{Kind: KindAgent, Program: "a\x1b[0m" + strings.Repeat("b", 90), Connection: "/etc", Person: "root"}
	}
	raw, err := json.Marshal(many)
	require.NoError(t, err)
	list, err := Decode(raw)
	require.NoError(t, err)
	assert.Len(t, list, maxShared)
	assert.NotContains(t, list[0].Program, "\x1b")
	assert.LessOrEqual(t, len(list[0].Program), maxName)
	assert.Empty(t, list[0].Connection+list[0].Person)
	for _, bad := range []string{`{`, `[{"kind":"program"}]`, `[1]`, `"` + strings.Repeat("x", maxSharedBytes) + `"`} {
		_, err := Decode(json.RawMessage(bad))
		assert.Error(t, err, "%.20s", bad)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[{"kind":"page","id":"p","table":{"id":"t"}}]`))
	f.Add([]byte(`[{"kind":"agent","program":"\u202e"}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := Decode(raw)
		if err != nil {
			return
		}
		assert.LessOrEqual(t, len(list), maxShared)
		for _, e := range list {
			assert.LessOrEqual(t, len(e.Program), maxName)
			assert.Equal(t, e.Program, Clean(e.Program, maxName))
		}
	})
}
