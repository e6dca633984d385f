package designs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
)

func TestADesignGetsItsFileWithItsFirstChange(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	p.settled()
	assert.NoFileExists(t, p.path("main.json"), "the design is what the database is")

	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	assert.Equal(t, `{
  "format": 1,
  "dialect": "sqlite",
  "connection": "main",
  "tables": [
    {
      "name": "boat",
      "columns": [
        {
          "name": "id",
          "dataType": "INTEGER"
        },
        {
          "name": "name",
          "dataType": "TEXT",
          "isNullable": true
        }
      ],
      "primaryKey": {
        "columns": [
          "id"
        ]
      }
    },
    {
      "name": "crew",
      "columns": [
        {
          "name": "id",
          "dataType": "INTEGER"
        }
      ],
      "primaryKey": {
        "columns": [
          "id"
        ]
      }
    }
  ]
}
`, p.read("main.json"))
	assert.Empty(t, p.keeper.Problems())
}

func TestAnEditByHandComesInAsOneBatch(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	before := p.read("main.json")

	p.write("main.json", withColumn(before, "flag"))
	p.eventually(func() bool { return tables(t, d)["boat"] == "flag id name" }, "the edit comes in")
	undo, _, err := d.History(context.Background(), 9)
	require.NoError(t, err)
	require.Len(t, undo, 2)
	assert.Equal(t, "file", undo[0].Origin)
	assert.Equal(t, "Take over .berth/designs/main.json", undo[0].Description)

	_, err = d.Undo(context.Background(), session.Steps{ExpectedVersion: d.Version()})
	require.NoError(t, err)
	p.eventually(func() bool { return p.read("main.json") == before }, "and goes out with undo")
}

func TestBerthsOwnWritesAndOtherWordsForTheSameChangeNothing(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	version, steps := d.Version(), d.Info().UndoSteps

	again := p.read("main.json")
	require.NoError(t, os.Remove(p.path("main.json")))
	p.write("main.json", again)
	p.settled()
	other := `{"tables": [{"name":"crew","columns":[{"dataType":"INTEGER","name":"id"}],"primaryKey":{"columns":["id"]}},
		{"schema":"main","name":"boat","columns":[{"name":"id","dataType":"INTEGER"},{"name":"name","dataType":"TEXT","isNullable":true}],
		"primaryKey":{"columns":["id"]}}], "format":1, "connection":"main", "dialect":"sqlite"}`
	p.write("main.json", other)
	p.settled()
	assert.Equal(t, []any{version, steps}, []any{d.Version(), d.Info().UndoSteps})
	assert.Equal(t, other, p.read("main.json"), "it says the same: it is left in the form it was given")

	apply(t, d, addTable("port"))
	p.eventually(func() bool { return p.read("main.json") != other }, "until the design changes")
	assert.Contains(t, p.read("main.json"), `"port"`)
}

func TestARefusedFileIsLeftUntilTheDesignChangesAndThenKept(t *testing.T) {
	for name, c := range map[string]struct{ text, reason string }{
		"half a file":         {"{\n  \"format\": 1,\n", "line 3: unexpected EOF"},
		"a conflict":          {"{\n<<<<<<< HEAD\n}\n", "line 2: git could not merge the file: settle the conflict"},
		"an unknown field":    {`{"format":1,"dialect":"sqlite","connection":"main","tables":[],"colour":1}`, "line 1: /colour: unknown object member name"},
		"a number for a name": {`{"format":1,"dialect":7}`, "line 1: /dialect does not hold a JSON number"},
		"a name twice":        {`{"format":1,"format":1}`, "line 1: duplicate"},
		"another dialect":     {`{"format":1,"dialect":"mssql","connection":"main","tables":[]}`, `dialect is "mssql" and the connection's is "sqlite"`},
		"another connection":  {`{"format":1,"dialect":"sqlite","connection":"other","tables":[]}`, `connection is "other"`},
		"another format":      {`{"format":2,"dialect":"sqlite","connection":"main","tables":[]}`, "format is 2: this berth reads 1"},
		"no tables":           {`{"format":1,"dialect":"sqlite","connection":"main"}`, "tables is missing"},
		"an unknown type": {`{"format":1,"dialect":"sqlite","connection":"main","tables":[{"name":"a","columns":[{"name":"b","dataType":"nothing"}]}]}`,
			"Data type 'nothing' is invalid"},
		"SQL that goes on": {`{"format":1,"dialect":"sqlite","connection":"main","tables":[{"name":"a","columns":[{"name":"b","dataType":"INTEGER","defaultValue":"1; DROP TABLE boat"}]}]}`,
			"holds a semicolon"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			d := p.boats()
			apply(t, d, addTable("crew"))
			p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
			version := d.Version()

			p.write("main.json", c.text)
			p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "the text is refused")
			problem := p.keeper.Problems()[0]
			assert.Equal(t, []string{"main", ".berth/designs/main.json"}, []string{problem.Connection, problem.File})
			assert.Contains(t, problem.Reason, "not taken over: ")
			assert.Contains(t, problem.Reason, c.reason)
			p.settled()
			assert.Contains(t, p.log.String(), "a design and its file differ")
			assert.Equal(t, c.text, p.read("main.json"))
			assert.Equal(t, version, d.Version())

			apply(t, d, addTable("port"))
			p.eventually(func() bool { return p.read("main.json") != c.text }, "the design goes on")
			assert.Equal(t, c.text, p.read("main.rejected.json"))
			p.eventually(func() bool { return len(p.keeper.Problems()) == 0 }, "nothing is wrong any more")
		})
	}
}

func TestARefusedFileComesInWhenItIsMended(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	good := withColumn(p.read("main.json"), "flag")
	p.write("main.json", good[:99])
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "the text is refused")
	p.write("main.json", good)
	p.eventually(func() bool { return tables(t, d)["boat"] == "flag id name" }, "the edit comes in")
	p.eventually(func() bool { return len(p.keeper.Problems()) == 0 }, "nothing is wrong any more")
	assert.NoFileExists(t, p.path("main.rejected.json"))
}

func TestEachRefusedTextIsKept(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	for i, text := range []string{"one", "two", "one"} {
		p.write("main.json", text)
		p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "the text is refused")
		apply(t, d, addTable("t"+string(rune('a'+i))))
		p.eventually(func() bool { return len(p.keeper.Problems()) == 0 }, "the design goes on")
		assert.NotEqual(t, text, p.read("main.json"))
	}
	assert.Equal(t, []string{"one", "two", ""}, []string{p.read("main.rejected.json"), p.read("main.rejected-2.json"), p.read("main.rejected-3.json")})
}

func TestAFileThatIsRemovedComesBackWithTheNextChange(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	require.NoError(t, os.RemoveAll(filepath.Join(p.root, ".berth")))
	p.settled()
	assert.NoFileExists(t, p.path("main.json"))
	apply(t, d, addTable("port"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there again")
}

func TestALayoutIsLeftAlone(t *testing.T) {
	p := newProject(t)
	p.write("main.layout.json", "anything")
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	assert.Equal(t, "anything", p.read("main.layout.json"))
	assert.Empty(t, p.keeper.Problems())
}

func TestWhatIsDueIsWrittenWhenTheKeeperCloses(t *testing.T) {
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	require.NoError(t, p.keeper.Close())
	assert.Contains(t, p.read("main.json"), `"crew"`)
	require.NoError(t, p.keeper.Close(), "closing again does nothing")
}

func TestAKeeperOutlivesAManagerThatWasClosedUnderIt(t *testing.T) {
	p := newProject(t)
	p.boats()
	require.NoError(t, p.manager.Close())
	require.NoError(t, p.keeper.Close())
	assert.NotContains(t, p.log.String(), "level=WARN")
}

func TestADesignThatIsShownFirstTakesItsFileOver(t *testing.T) {
	p := newProject(t)
	p.write("main.json", `{"format":1,"dialect":"sqlite","connection":"main","tables":[{"name":"boat","columns":[{"name":"id","dataType":"INTEGER"}]}]}`)
	d := p.boats()
	p.eventually(func() bool { return tables(t, d)["boat"] == "id" }, "as from a clone")
	assert.Equal(t, session.Proposed, d.Info().Sync)
}

func TestOfTwoDesignsOfOneNameTheActiveOneHasTheFile(t *testing.T) {
	p := newProject(t)
	first := p.boats()
	apply(t, first, addTable("crew"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "the file is there")
	second := p.show(&source{id: "two", name: "main"})
	p.eventually(func() bool { return tables(t, second)["crew"] != "" }, "the project's design goes on, whatever the database")
	apply(t, first, addTable("lost"))
	apply(t, second, addTable("found"))
	p.eventually(func() bool { return len(p.read("main.json")) > 0 && tables(t, second)["found"] != "" }, "")
	p.settledWith(second)
	assert.Contains(t, p.read("main.json"), `"found"`)
	assert.NotContains(t, p.read("main.json"), `"lost"`)
}

// settledWith waits until the file is as the design is.
func (p *project) settledWith(d *session.Designer) {
	p.t.Helper()
	p.eventually(func() bool {
		_, now, err := p.keeper.render(&file{design: d, connection: d.Name()})
		return err == nil && string(now) == p.read(stem(d.Name())+".json")
	}, "the file is as the design is")
}
