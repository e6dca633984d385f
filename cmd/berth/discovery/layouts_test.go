package discovery_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layout is a sample of how a project keeps its connection: what is found,
// a line each, and the files.
type layout struct {
	want  []string
	files map[string]string
}

func layouts(t *testing.T) map[string]layout {
	t.Helper()
	names, err := filepath.Glob("testdata/layouts/*.txt")
	require.NoError(t, err)
	all := map[string]layout{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		l := layout{files: map[string]string{}}
		for line := range strings.Lines(string(archive.Comment)) {
			l.want = append(l.want, strings.TrimSpace(line))
		}
		for _, f := range archive.Files {
			l.files[f.Name] = string(f.Data)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txt")] = l
	}
	return all
}

func TestEachLayoutIsReadAsItsSampleSays(t *testing.T) {
	for name, l := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			got, notes := find(t, l.files)
			for _, n := range notes {
				got = append(got, "note: "+n)
			}
			assert.Equal(t, l.want, got)
		})
	}
}

// row is one of the table in docs/discovery.md.
var row = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^`]+)` \\| ([^|]+) \\| (found|said: [^|]+|not read: [^|]+) \\| `([^`]+)` \\|$")

func TestTheTableOfLayoutsIsTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/discovery.md"))
	require.NoError(t, err)
	samples := layouts(t)
	rows := row.FindAllStringSubmatch(string(text), -1)
	require.Equal(t, strings.Count(string(text), "\n| ")-2, len(rows), "a row of the table is not written as the others")
	for _, m := range rows {
		file, says, name := m[2], m[4], m[5]
		sample, ok := samples[name]
		if !assert.True(t, ok, "the row of %s names the sample %s twice, or one that is not there", m[1], name) {
			continue
		}
		delete(samples, name)
		at := ""
		for each := range sample.files {
			if strings.HasSuffix("/"+each, "/"+file) {
				at = each
			}
		}
		require.NotEmpty(t, at, "the sample %s has no %s", name, file)
		connections, notes := find(t, sample.files)
		switch kind, phrase, _ := strings.Cut(says, ": "); kind {
		case "found":
			assert.Empty(t, notes, name)
			assert.Contains(t, strings.Join(connections, "\n"), " ("+at+":", name)
		case "said":
			assert.Empty(t, connections, name)
			require.Len(t, notes, 1, name)
			assert.Regexp(t, `^`+regexp.QuoteMeta(at)+`:\d+: `, notes[0])
			assert.Contains(t, notes[0], strings.Trim(phrase, "*"), name)
		default:
			assert.Empty(t, connections, name)
			assert.Empty(t, notes, name)
		}
	}
	for name := range samples {
		assert.Fail(t, "the table has no row of the sample "+name)
	}
}
