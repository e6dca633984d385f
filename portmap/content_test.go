package portmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is read, what is written of it reads the same.
func FuzzContent(f *testing.F) {
	for _, tc := range mapTexts {
		f.Add([]byte(tc.text))
	}
	f.Add([]byte(`{"/a":1,"_comment":{"x":1,"x":[1.0,"\u002f"]},"/a":"2", }`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := entryForm.read(text)
		if err != nil {
			require.ErrorIs(t, err, ErrBroken)
		}
		for root, port := range c.byRoot {
			require.True(t, isPort(port), "%q has port %d", root, port)
			require.NotContains(t, c.other, root)
		}
		written, err := c.encode()
		require.NoError(t, err)
		again, err := entryForm.read(written)
		require.NoError(t, err, "%s", written)
		require.False(t, again.lossy)
		require.Equal(t, len(c.byRoot), len(again.byRoot))
		for root, port := range c.byRoot {
			require.Equal(t, port, again.byRoot[root])
		}
		require.Len(t, again.other, len(c.other))
		same, err := again.encode()
		require.NoError(t, err)
		require.Equal(t, string(written), string(same))
	})
}
