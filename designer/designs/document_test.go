package designs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

// everything are definitions as databases with everything in them are read.
func everything(t testing.TB) map[*designer.Dialect]designer.Definition {
	t.Helper()
	all := map[*designer.Dialect]designer.Definition{}
	for _, d := range []*designer.Dialect{sqlite.Dialect(), postgres.Dialect(), mysql.Dialect()} {
		text, err := os.ReadFile(filepath.Join("..", d.Name, "testdata", "everything.json"))
		require.NoError(t, err)
		var def designer.Definition
		require.NoError(t, json.Unmarshal(text, &def))
		require.NotEmpty(t, def.Tables)
		all[d] = def
	}
	return all
}

func TestAFileHoldsTheWholeDesign(t *testing.T) {
	for d, def := range everything(t) {
		s, err := designer.Build(d, def, nil)
		require.NoError(t, err)
		text, err := encode(s, "x")
		require.NoError(t, err)
		read, err := decode(text, d.Name, "x")
		require.NoError(t, err)
		again, err := designer.Build(d, read, &designer.Options{Catalog: s.Catalog()})
		require.NoError(t, err)
		assert.Equal(t, s.Version(), again.Version(), d.Name)
		c, refused := s.Import(read, true)
		require.Nil(t, refused)
		assert.Empty(t, c.Tables, d.Name)
		same, err := encode(again, "x")
		require.NoError(t, err)
		assert.Equal(t, string(text), string(same), d.Name)
	}
}

func FuzzDecode(f *testing.F) {
	for d, def := range everything(f) {
		s, err := designer.Build(d, def, nil)
		require.NoError(f, err)
		text, err := encode(s, "x")
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"format":1,"dialect":"sqlite","connection":"x","tables":[{"name":"a","columns":null,"primaryKey":{"columns":["b"]}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		def, err := decode(text, "sqlite", "x")
		if err != nil {
			require.Less(t, len(err.Error()), 500, "a message repeats the caller's input")
			return
		}
		s := designer.New(sqlite.Dialect(), nil)
		version := s.Version()
		if _, refused := s.Import(def, true); refused != nil {
			require.Equal(t, version, s.Version())
		}
		require.NoError(t, s.Check())
	})
}
