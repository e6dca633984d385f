package portmap

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var mapTexts = map[string]struct {
	text string
	want map[string]int // nil: broken
}{
	"an empty object":            {`{}`, map[string]int{}},
	"blanks around":              {"\n {} \t\n", map[string]int{}},
	"two projects":               {`{"/a":50001,"/b":50002}`, map[string]int{"/a": 50001, "/b": 50002}},
	"two projects on one port":   {`{"/a":50001,"/b":50001}`, map[string]int{"/a": 50001, "/b": 50001}},
	"names that differ in case":  {`{"/a":1,"/A":2}`, map[string]int{"/a": 1, "/A": 2}},
	"an escaped name":            {`{"/\u00e4 \"x\"":1}`, map[string]int{`/ä "x"`: 1}},
	"a path of Windows":          {`{"C:\\work":65535}`, map[string]int{`C:\work`: 65535}},
	"nothing at all":             {``, nil},
	"blanks":                     {" \n", nil},
	"null":                       {`null`, nil},
	"a list":                     {`[]`, nil},
	"a number":                   {`50001`, nil},
	"half a file":                {`{"/a":50001,"/b`, nil},
	"two objects":                {`{}{}`, nil},
	"a name twice":               {`{"/a":1,"/a":1}`, nil},
	"a name twice, once escaped": {`{"/a":1,"\u002fa":2}`, nil},
	"port zero":                  {`{"/a":0}`, nil},
	"a port below zero":          {`{"/a":-1}`, nil},
	"a port too high":            {`{"/a":65536}`, nil},
	"a port far too high":        {`{"/a":99999999999999999999}`, nil},
	"a port with a fraction":     {`{"/a":50001.0}`, nil},
	"a port with an exponent":    {`{"/a":5e4}`, nil},
	"a port in quotes":           {`{"/a":"50001"}`, nil},
	"a port that is null":        {`{"/a":null}`, nil},
	"a port that is true":        {`{"/a":true}`, nil},
	"a port that is an object":   {`{"/a":{"port":1}}`, nil},
	"a comment":                  {"{} // mine", nil},
	"a comma too many":           {`{"/a":1,}`, nil},
	"a name that is not UTF-8":   {"{\"/\xff\":1}", nil},
	"a byte order mark":          {"\ufeff{}", nil},
	"zero bytes":                 {"\x00\x00\x00\x00", nil},
}

func TestTextsOfTheMap(t *testing.T) {
	for name, tc := range mapTexts {
		t.Run(name, func(t *testing.T) {
			got, err := parseEntries([]byte(tc.text))
			if tc.want == nil {
				require.ErrorIs(t, err, ErrBroken)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func FuzzParseEntries(f *testing.F) {
	for _, tc := range mapTexts {
		f.Add([]byte(tc.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseEntries(text)
		if err != nil {
			require.ErrorIs(t, err, ErrBroken)
			require.Nil(t, got)
			return
		}
		for root, port := range got {
			require.True(t, isPort(port), "%q has port %d", root, port)
		}
		again, err := encode(got)
		require.NoError(t, err)
		same, err := parseEntries(again)
		require.NoError(t, err)
		require.Equal(t, got, same)
	})
}
