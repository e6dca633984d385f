package schema_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// marked is a source that says cheaply whether it has changed.
type marked struct{ *source }

func (m marked) Mark(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return "", m.fail
	}
	last := m.def.Tables[len(m.def.Tables)-1]
	return last.Schema + "." + last.Name, nil
}

// grow adds a table to the database, behind the designer's back.
func (s *source) grow(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := keyed(name, column("Id", "int"))
	t.Schema = "dbo"
	s.def.Tables = append(s.def.Tables[:len(s.def.Tables):len(s.def.Tables)], t)
}

func TestExportWritesTheDatabaseAsItIsNow(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	require.NotContains(t, w.call(`{"operation":"show"}`, nil).Content[0], `"success":false`)
	for _, format := range []string{"json", "dbml", "mermaid"} {
		w.sources[0].grow("Late_" + format)
		reply := w.call(`{"operation":"export","payload":{"format":"`+format+`","path":"design.`+format+`"}}`, nil)
		require.False(t, reply.IsError, reply.Content)
		raw, err := os.ReadFile(filepath.Join(w.root, "design."+format))
		require.NoError(t, err)
		assert.Contains(t, string(raw), "Late_"+format)
	}
	w.sources[0].breakOff(errors.New("gone"))
	reply := w.call(`{"operation":"export","payload":{"format":"json","path":"last.json"}}`, nil)
	require.False(t, reply.IsError, reply.Content)
	assert.Contains(t, reply.Content[0], "the database could not be read now; this is the design as last stored")
}

func TestWhatDescribesTheDesignNoticesWhatChangedElsewhere(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	w.marks = true
	require.NotContains(t, w.call(`{"operation":"show"}`, nil).Content[0], `"success":false`)
	for _, operation := range []string{"get_overview", "get_relationships"} {
		w.sources[0].grow("Late_" + operation)
		before := w.reads()
		assert.NotContains(t, w.call(`{"operation":"`+operation+`"}`, nil).Content[0], `"success":false`)
		assert.Equal(t, before+1, w.reads(), operation)
		w.call(`{"operation":"`+operation+`"}`, nil)
		assert.Equal(t, before+1, w.reads(), "nothing has changed since")
	}
	assert.Contains(t, w.call(`{"operation":"get_overview"}`, nil).Content[0], "Late_get_relationships")
	w.sources[0].grow("Later")
	got := w.call(`{"operation":"get_table","payload":{"table":{"name":"Later"}}}`, nil)
	assert.False(t, got.IsError, got.Content)
}

func (w *world) reads() int {
	w.sources[0].mu.Lock()
	defer w.sources[0].mu.Unlock()
	return w.sources[0].reads
}
