package designs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
)

// withFile is a project whose design has its file.
func withFile(t *testing.T) (*project, *session.Designer) {
	t.Helper()
	p := newProject(t)
	d := p.boats()
	apply(t, d, addTable("crew"))
	p.settledWith(d)
	return p, d
}

// again restarts the project and shows its design.
func (p *project) again() *session.Designer {
	p.t.Helper()
	p.open()
	d, ok := p.manager.ByID("one")
	require.True(p.t, ok)
	return d
}

func TestAChangeThatNeverReachedItsFileIsWrittenAfterAStart(t *testing.T) {
	p, d := withFile(t)
	require.NoError(t, p.keeper.Close()) // as if it had been killed from here on
	p.keeper = nil
	apply(t, d, addTable("port"))
	p.close()
	assert.NotContains(t, p.read("main.json"), "port")
	d = p.again()
	p.settledWith(d)
	assert.Contains(t, tables(t, d), "port")
	assert.Contains(t, p.read("main.json"), `"port"`)
}

func TestWhatCameWhileBerthDidNotRunComesInAfterAStart(t *testing.T) {
	p, _ := withFile(t)
	p.close()
	p.write("main.json", withColumn(p.read("main.json"), "flag"))
	d := p.again()
	p.eventually(func() bool { return tables(t, d)["boat"] == "flag id name" }, "as from git pull")
}

func TestAnOlderStateThatWasCheckedOutComesInAfterAStart(t *testing.T) {
	p, d := withFile(t)
	older := p.read("main.json") // berth wrote this itself
	apply(t, d, addTable("port"))
	p.eventually(func() bool { return strings.Contains(p.read("main.json"), "port") }, "the file follows")
	p.settledWith(d)
	p.close()
	p.write("main.json", older)
	d = p.again()
	p.eventually(func() bool { return tables(t, d)["port"] == "" }, "as from git checkout")
	assert.Equal(t, older, p.read("main.json"))
}

func TestAProcessThatDiesAtAnyPointOfAWriteLeavesWhatIsUnderstood(t *testing.T) {
	for name, c := range map[string]struct{ recorded, written bool }{
		"before": {}, "after the record": {recorded: true}, "after the file": {recorded: true, written: true},
	} {
		t.Run(name, func(t *testing.T) {
			p, d := withFile(t)
			require.NoError(t, p.keeper.Close())
			apply(t, d, addTable("port"))
			f := &file{design: d, connection: "main", stem: "main"}
			_, now, err := p.keeper.render(f)
			require.NoError(t, err)
			if c.recorded {
				require.NoError(t, p.keeper.record.put("main.json", "one", hash([]byte(p.read("main.json"))), hash(now)))
			}
			if c.written {
				p.write("main.json", string(now))
			}
			apply(t, d, addTable("pier")) // and the design has moved on
			p.keeper = nil
			p.close()
			p.write(".main.json.0123456789ab"+tempEnding, "half")
			d = p.again()
			p.settledWith(d)
			assert.Equal(t, map[string]string{"boat": "id name", "crew": "id", "port": "id", "pier": "id"}, tables(t, d))
			assert.NoFileExists(t, p.path(".main.json.0123456789ab"+tempEnding))
			assert.Empty(t, p.keeper.Problems())
		})
	}
}

func TestAFileThatWasRemovedWhileBerthDidNotRunIsNotMadeAnew(t *testing.T) {
	p, _ := withFile(t)
	p.close()
	require.NoError(t, os.Remove(p.path("main.json")))
	d := p.again()
	p.settled()
	assert.NoFileExists(t, p.path("main.json"))
	apply(t, d, addTable("port"))
	p.eventually(func() bool { return p.read("main.json") != "" }, "until the design changes")
}

func TestARefusedFileIsRefusedAgainAfterAStartAndLeft(t *testing.T) {
	p, _ := withFile(t)
	p.write("main.json", "{")
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "the text is refused")
	p.close()
	d := p.again()
	p.eventually(func() bool { return len(p.keeper.Problems()) == 1 }, "again")
	p.settled()
	assert.Equal(t, "{", p.read("main.json"))
	assert.Contains(t, tables(t, d), "crew")
}

func TestALostRecordBringsInWhatIsThere(t *testing.T) {
	p, _ := withFile(t)
	p.close()
	require.NoError(t, os.WriteFile(filepath.Join(p.state, "designs.json"), []byte("{"), 0o600))
	d := p.again()
	p.settledWith(d)
	assert.Equal(t, 1, d.Info().UndoSteps, "nothing came of it")
}

func TestADesignWithChangesThatHasNoFileYetGetsOneAfterAStart(t *testing.T) {
	p := newProject(t)
	require.NoError(t, p.keeper.Close())
	p.keeper = nil
	apply(t, p.boats(), addTable("crew"))
	p.close()
	p.settledWith(p.again())
	assert.Contains(t, p.read("main.json"), `"crew"`)
}

func TestADesignAndItsFileThatBothChangedAreToldOf(t *testing.T) {
	p, d := withFile(t)
	require.NoError(t, p.keeper.Close())
	p.write("main.json", withColumn(p.read("main.json"), "flag"))
	apply(t, d, addTable("port"))
	p.keep()
	p.eventually(func() bool { return tables(t, d)["boat"] == "flag id name" }, "the file stands")
	assert.NotContains(t, tables(t, d), "port")
	_, err := d.Undo(t.Context(), session.Steps{})
	require.NoError(t, err)
	assert.Contains(t, tables(t, d), "port", "undo brings the change back")
}
