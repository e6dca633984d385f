package projectlist_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

func TestReadTakesContainsAndTheHabitOfSendingARoot(t *testing.T) {
	for args, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `{"projectRoot":"/x"}`: "", `{"contains":"Shop"}`: "Shop",
		`[]`:                          "! arguments must be a JSON object",
		`{"contains":5}`:              "! contains must be a string: a part of a project's path",
		`{"filter":"x"}`:              `! unknown argument "filter": list-projects takes contains, a part of a project's path, or nothing`,
		`{"contains":"","contains":}`: "! invalid arguments: an object has the same name twice, at byte 15",
	} {
		got, err := projectlist.Read(json.RawMessage(args))
		if err != nil {
			assert.Equal(t, want, "! "+err.Error(), args)
			continue
		}
		assert.Equal(t, want, got.Contains, args)
	}
}

func TestReplyIsBoundedByCountAndBytes(t *testing.T) {
	for name, database := range map[string]string{"short": "app.db", "long": strings.Repeat("ü", 3000)} {
		var list []projectlist.Project
		for i := range 70 {
			s := &wire.Status{ActiveDesigner: database, SyncState: "synced"}
			for range 30 {
				s.Databases = append(s.Databases, wire.Database{Name: database, Dialect: "sqlite", Database: database})
			}
			list = append(list, projectlist.LiveProject(fmt.Sprintf("/p/%02d", i), s))
		}
		text := projectlist.Reply(list, projectlist.Arguments{}, "")
		assert.LessOrEqual(t, len(text), catalog.MaxProjectsReplyBytes, name)
		var got struct {
			Projects       []projectlist.Project
			Total, Omitted int
			Note           string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		assert.NotEmpty(t, got.Projects, name)
		assert.Equal(t, 70, got.Total)
		assert.Equal(t, 70, len(got.Projects)+got.Omitted, name)
		assert.Equal(t, "Pass contains, a part of a path, to list fewer.", got.Note)
		assert.Len(t, got.Projects[0].Databases, wire.MaxDatabases)
		assert.Equal(t, 30-wire.MaxDatabases, got.Projects[0].MoreDatabases)
	}
}

func TestReplyTellsNoDatabaseFromNotKnown(t *testing.T) {
	none := projectlist.LiveProject("/a", &wire.Status{Databases: []wire.Database{}})
	unknown := projectlist.LiveProject("/b", nil)
	hung := projectlist.Project{ProjectRoot: "/0", State: projectlist.NotAnswering}
	assert.Equal(t, `{"projects":[{"projectRoot":"/a","state":"live","databases":[]},{"projectRoot":"/b","state":"live"},{"projectRoot":"/0","state":"not answering"}],"total":3}`,
		projectlist.Reply([]projectlist.Project{hung, unknown, none}, projectlist.Arguments{}, ""))
}
