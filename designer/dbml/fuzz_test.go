package dbml

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// FuzzParse sees that no text panics or takes long, that what parses builds
// or says why not, and that what was built is written so that it parses.
func FuzzParse(f *testing.F) {
	f.Add(blog, byte(0))
	f.Add(strings.ReplaceAll(blog, "<>", ">"), byte(1))
	f.Add("Table a { b \"c\\\"\\u0041\"(1,2)[] [note: '''\n x''', ref: - a.b] }", byte(2))
	s, err := designer.Build(typesDialect(), harbour(), nil)
	require.NoError(f, err)
	f.Add(Render(s), byte(1))
	f.Fuzz(func(t *testing.T, text string, which byte) {
		d := []func() *designer.Dialect{plainDialect, typesDialect, valuesDialect}[which%3]()
		started := time.Now()
		def, err := Parse(text, d)
		require.Less(t, time.Since(started), 5*time.Second)
		if err != nil {
			require.Less(t, len(err.Error()), 600, "a message repeats the caller's input")
			return
		}
		s, err := designer.Build(d, def.Definition, nil)
		if err != nil {
			return
		}
		require.NoError(t, s.Check())
		rendered := Render(s)
		_, err = Parse(rendered, d)
		require.NoError(t, err, "%s", rendered)
	})
}
