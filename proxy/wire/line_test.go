package wire_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReplyRoundTrip(t *testing.T) {
	var buf bytes.Buffer
	flushed := 0
	w := wire.NewLineWriter(&buf, func() { flushed++ })
	lines := []wire.Line{
		{Progress: &wire.Progress{Progress: 1, Total: 2, Message: "half <done>"}},
		{Result: &wire.Result{Content: []string{"a\nb", strings.Repeat("x", 200000)}, Structured: []byte(`{"n":1}`), IsError: true}},
	}
	for _, l := range lines {
		require.NoError(t, w.Write(l))
	}
	assert.Equal(t, len(lines)-1, flushed, "the end of the body sends the last line")
	assert.ErrorIs(t, w.Write(lines[0]), wire.ErrReplyEnded, "nothing follows the end")
	assert.Equal(t, len(lines), strings.Count(buf.String(), "\n"), "one line a line")
	assert.Contains(t, buf.String(), "half <done>", "no HTML escapes")

	r := wire.NewLineReader(&buf)
	for _, want := range lines {
		got, err := r.Next()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := r.Next()
	assert.ErrorIs(t, err, io.EOF)
}

func TestReplyReaderRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a stream that ends before the reply does", `{"progress":{"progress":1}}` + "\n", "unexpected EOF"},
		{"a last line without its newline", `{"result":{"content":["a"]}}`, "unexpected EOF"},
		{"a line with two ends", `{"result":{"content":[]},"inputRequired":{"requests":{},"state":""}}` + "\n", "want one"},
		{"a line with no field known", `{"other":1}` + "\n", "want one"},
		{"a name twice", `{"result":{"content":["a"],"content":["b"]}}` + "\n", "same name twice"},
		{"an empty line", "\n", "ends too early"},
		{"a line over the limit", strings.Repeat("x", wire.MaxLineBytes+1), "too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := wire.NewLineReader(strings.NewReader(tt.in))
			var err error
			for err == nil {
				_, err = r.Next()
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestReplyWriterRefusesALineOverTheLimit(t *testing.T) {
	var buf bytes.Buffer
	w := wire.NewLineWriter(&buf, nil)
	err := w.Write(wire.Line{Result: &wire.Result{Content: []string{strings.Repeat("x", wire.MaxLineBytes)}}})
	require.ErrorIs(t, err, wire.ErrLineTooLong)
	require.NoError(t, w.Write(wire.Line{Result: &wire.Result{Content: []string{"too much"}}}), "the reply can still end")
}

func TestReplyWriterKeepsLinesWhole(t *testing.T) {
	var buf bytes.Buffer
	w := wire.NewLineWriter(&buf, nil)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			assert.NoError(t, w.Write(wire.Line{Progress: &wire.Progress{Message: strings.Repeat("m", 500)}}))
		})
	}
	wg.Wait()
	require.NoError(t, w.Write(wire.Line{Result: &wire.Result{}}))
	r, n := wire.NewLineReader(&buf), 0
	for _, err := r.Next(); err == nil; _, err = r.Next() {
		n++
	}
	assert.Equal(t, 51, n)
}

// FuzzLineReader: no input panics, and what is read back from what was
// written is the same.
func FuzzLineReader(f *testing.F) {
	f.Add([]byte(`{"progress":{"progress":0.5,"total":1,"message":"m"}}` + "\n" + `{"result":{"content":["a"],"isError":true}}` + "\n"))
	f.Add([]byte(`{"inputRequired":{"requests":{"q":{}},"state":"s"}}` + "\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := wire.NewLineReader(bytes.NewReader(in))
		for l, err := r.Next(); err == nil; l, err = r.Next() {
			var buf bytes.Buffer
			if err := wire.NewLineWriter(&buf, nil).Write(l); err != nil {
				t.Fatalf("line that was read cannot be written: %v", err)
			}
			if _, err := wire.NewLineReader(&buf).Next(); err != nil {
				t.Fatalf("line that was written cannot be read: %v", err)
			}
		}
	})
}
