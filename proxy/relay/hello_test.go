package relay

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func reader(text string) *bufio.Reader {
	return bufio.NewReaderSize(strings.NewReader(text), maxSkipped)
}

func TestAGreetingIsFoundBehindWhatALoginPrints(t *testing.T) {
	const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	for name, before := range map[string]string{
		"nothing":                  "",
		"a banner":                 "Welcome to build1\nlast login: never\n",
		"a line that is left open": "no line break: ",
		"a greeting of another":    "berth-relay\nberth-relay 1\nberth-relay x y\nberth-relay 1 a b\n",
		"a greeting in a line":     "+ echo berth-relay 1 x and more\n",
		"escape sequences":         "\x1b]0;build1\x07\x1b[?2004h",
		"bytes of no text":         "\xff\xfe\x00\n\x00",
		"just what is allowed":     strings.Repeat("x", maxSkipped-len("berth-relay 1 1.2.3\n")),
		"the same, in lines":       strings.Repeat("x\n", (maxSkipped-len("berth-relay 1 1.2.3\n"))/2),
		"lines of a terminal":      "Welcome\r\n",
	} {
		r := reader(before + "berth-relay 1 1.2.3\n" + preface)
		h, err := readHello(r)
		require.NoError(t, err, name)
		assert.Equal(t, "1.2.3", h.version, name)
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.Equal(t, preface, string(rest), "%s: what follows stays", name)
	}
}

func TestWhatIsNoGreetingIsRefusedInWords(t *testing.T) {
	for name, c := range map[string]struct {
		said    string
		want    error
		words   string
		skipped string
	}{
		"nothing":               {"", errNoHello, "", ""},
		"an end without a line": {"sh: berth: not found", errNoHello, "", "sh: berth: not found"},
		"half a greeting":       {"berth-relay 1 1.2", errNoHello, "", "berth-relay 1 1.2"},
		"too much":              {strings.Repeat("x", maxSkipped) + "\nberth-relay 1 1.2.3\n", errMuch, "", strings.Repeat("x", maxQuoted-1) + "\n"},
		"too many lines":        {strings.Repeat("y\n", maxSkipped) + "berth-relay 1 1.2.3\n", errMuch, "", strings.Repeat("y\n", maxQuoted/2)},
		"a terminal":            {"berth-relay 1 1.2.3\r\n", errTerminal, "", ""},
		"a newer protocol":      {"berth-relay 2 9.9.9\n", nil, "berth 9.9.9 there speaks version 2 of the relay's protocol, and this berth version 1", ""},
		"one that is no number": {"berth-relay 99999999999999999999 9\n", errNoHello, "", "berth-relay 99999999999999999999 9\n"},
		"a negative one":        {"berth-relay -1 9\n", errNoHello, "", "berth-relay -1 9\n"},
		"no version":            {"berth-relay 1 \n", errNoHello, "", "berth-relay 1 \n"},
		"a version that is long": {"berth-relay 1 " + strings.Repeat("9", 101) + "\n", errNoHello, "",
			"berth-relay 1 " + strings.Repeat("9", 101) + "\n"},
	} {
		h, err := readHello(reader(c.said))
		require.Error(t, err, name)
		if c.want != nil {
			assert.ErrorIs(t, err, c.want, name)
		}
		assert.ErrorContains(t, err, c.words, name)
		assert.Equal(t, c.skipped, h.skipped, name)
	}
}

// A far side may send one byte at a time.
func TestAGreetingMayComeInPieces(t *testing.T) {
	text := "Welcome\nberth-relay 1 1.2.3\n"
	h, err := readHello(bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(text)), maxSkipped))
	require.NoError(t, err)
	assert.Equal(t, "1.2.3", h.version)
}

func TestAVersionOfAnyFormIsGreetedWithAndRead(t *testing.T) {
	for _, version := range []string{"v1.2.3", "devel", "v0.0.0-20261127 (modified)", "a\nb"} {
		var out bytes.Buffer
		require.NoError(t, writeHello(&out, version))
		h, err := readHello(reader(out.String()))
		require.NoError(t, err, version)
		assert.Equal(t, strings.Join(strings.Fields(version), "_"), h.version)
	}
}

// FuzzReadHello holds the reader to its bounds whatever a host prints, and to
// finding a greeting behind it.
func FuzzReadHello(f *testing.F) {
	for _, seed := range []string{"", "Welcome\n", "berth-relay 1 1.2.3\n", "berth-relay 2 9\n", "berth-relay 1 1\r\n", "berth-relay ", "\x00\xff\n",
		"berth-relay 1 x\nberth-relay 1 y\n", "berth-relay 0001 0\n", "berth-relay +1 0\n", strings.Repeat("x", maxSkipped)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		in := strings.NewReader(said)
		h, err := readHello(bufio.NewReaderSize(in, maxSkipped))
		assert.LessOrEqual(t, len(h.skipped), maxQuoted)
		assert.LessOrEqual(t, len(said)-in.Len(), 3*maxSkipped, "what is read of it")
		if err == nil {
			assert.Contains(t, said, magic+"1 "+h.version+"\n")
			return
		}
		assert.LessOrEqual(t, len(quote(err.Error())), maxQuoted)
		if errors.Is(err, errNoHello) && len(said) <= maxSkipped/2 {
			again, err := readHello(reader(said + magic + "1 9.9\n"))
			require.NoError(t, err)
			assert.Equal(t, "9.9", again.version)
		}
	})
}

func TestWhatACommandSaidLastIsQuotedInBounds(t *testing.T) {
	assert.Equal(t, "permission denied", saidLast("", "permission denied\n"))
	assert.Equal(t, "leave out -tt Connection closed.", saidLast("leave out -tt\r\n", "Connection closed.\r\n"))
	assert.Empty(t, saidLast("\x00\n", ""))
	assert.LessOrEqual(t, len(saidLast(strings.Repeat("x", 5000), strings.Repeat("y", 5000))), 2*maxQuoted)
}
