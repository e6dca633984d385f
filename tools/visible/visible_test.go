package visible_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/visible"
)

func TestWhatIsNotSeenIsWrittenOut(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\tbox":                 "plain\n\tbox",
		"x\x1b[40A\x1b[J":              `x\u{1b}[40A\u{1b}[J`,
		"a\x07\x08\x7fb":               `a\u{7}\u{8}\u{7f}b`,
		"csi \u009b2J osc \u009d":      `csi \u{9b}2J osc \u{9d}`,
		"\u202eevil\u2066\u200f":       `\u{202e}evil\u{2066}\u{200f}`,
		"us\u200ber us\u200der":        `us\u{200b}er us\u{200d}er`,
		"\ufeffbom \u00ad \u2060":      `\u{feff}bom \u{ad} \u{2060}`,
		"\u3164 \uffa0 \u115f \u034f":  `\u{3164} \u{ffa0} \u{115f} \u{34f}`,
		"a\ufe0fb\U000e0100\U000e0041": `a\u{fe0f}b\u{e0100}\u{e0041}`,
		"no\u00a0break\u2003\u2028":    `no\u{a0}break\u{2003}\u{2028}`,
		"\ue000\ufffe\u2800":           `\u{e000}\u{fffe}\u{2800}`,
		"bad \xff\xc3 utf8":            `bad \xff\xc3 utf8`,
		"a\r\nb\r\n":                   "a\nb\n",
		"a\r\nb\n":                     `a\u{d}` + "\nb\n",
		"over\rwritten":                `over\u{d}written`,
		"é 漢字 👍🏽 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f": "é 漢字 👍🏽 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f",
		"می\u200cخواهم क्\u200dष":                 "می\u200cخواهم क्\u200dष",
	} {
		assert.Equal(t, want, visible.Text(text))
	}
	assert.Equal(t, `one \u{1b}[A two`, visible.Line(" one\n\x1b[A\ttwo "))
}

func TestJSONStaysTheSameValue(t *testing.T) {
	value := map[string]string{"name": "x\x1b[2J\u202e\u009b\u200b\U000e0041é"}
	text, err := json.Marshal(value)
	require.NoError(t, err)
	shown := visible.JSON(text)
	var back map[string]string
	require.NoError(t, json.Unmarshal(shown, &back), string(shown))
	assert.Equal(t, value, back)
	assert.Equal(t, string(shown), visible.Text(string(shown)), "a second look finds nothing")
}

func TestAWriterIsTextWhereverItsWritesEnd(t *testing.T) {
	const text = "漢\x1b[2J\u202e👨\u200d👩\xff\xf0\x9f"
	var out bytes.Buffer
	w := &visible.Writer{To: &out}
	r := iotest.OneByteReader(strings.NewReader(text))
	for buf := make([]byte, 8); ; {
		n, err := r.Read(buf)
		if err != nil {
			break
		}
		wrote, err := w.Write(buf[:n])
		require.NoError(t, err)
		require.Equal(t, n, wrote)
	}
	require.NoError(t, w.Flush())
	assert.Equal(t, `漢\u{1b}[2J\u{202e}👨\u{200d}👩\xff\xf0\x9f`, out.String())
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a", "\x1b]8;;x\x07", "\u202e", "\xff", "👨\u200d👩", "\xa8\u200d\xf0", "\ufffd\ufe0f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := visible.Text(text)
		for _, r := range shown {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == 0x200b || r == 0xfeff {
				t.Fatalf("%q came through as %q", r, shown)
			}
		}
		if visible.Text(shown) != shown {
			t.Fatalf("%q is not what it is shown as: %q", shown, visible.Text(shown))
		}
	})
}
