package wire_test

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckJSON(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":[`, n/2) + strings.Repeat(`]}`, n/2) }
	tests := []struct {
		name string
		raw  string
		want string // part of the error; "": accepted
	}{
		{"a plain object is accepted", `{"projectRoot":"/a","n":[1,2.5e3,null,true]}`, ""},
		{"a bare value is accepted", ` "x" `, ""},
		{"brackets inside strings do not count as depth", `["` + strings.Repeat("[{", 500) + `\"["]`, ""},
		{"the greatest depth is accepted", nested(wire.MaxDepth), ""},
		{"one level more is refused", nested(wire.MaxDepth + 2), "nested too deeply"},
		{"a million levels are refused before parsing", strings.Repeat("[", 1000000), "nested too deeply"},
		{"a name twice is refused", `{"projectRoot":"/a","projectRoot":"/b"}`, "same name twice"},
		{"a name twice, once escaped, is refused", `{"a":1,"\u0061":2}`, "same name twice"},
		{"a name twice further in is refused", `{"x":[{"a":1,"a":1}]}`, "same name twice"},
		{"names that differ in case are two names", `{"a":1,"A":2}`, ""},
		{"invalid UTF-8 is refused", "{\"a\":\"\xff\"}", "not strict JSON"},
		{"half a surrogate pair is refused", `{"a":"\ud800"}`, "not strict JSON"},
		{"two values are refused", `{} {}`, "more than one"},
		{"trailing text is refused", `{}x`, "more than one"},
		{"a trailing comma is refused", `{"a":1,}`, "not strict JSON"},
		{"a comment is refused", `{/*x*/}`, "not strict JSON"},
		{"a single quote is refused", `{'a':1}`, "not strict JSON"},
		{"NaN is refused", `[NaN]`, "not strict JSON"},
		{"a control character in a string is refused", "\"a\nb\"", "not strict JSON"},
		{"half a value is refused", `{"a":`, "ends too early"},
		{"nothing is refused", ``, "ends too early"},
		{"a value over the size is refused", `"` + strings.Repeat("x", 2000000) + `"`, "too large"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := wire.CheckJSON([]byte(tt.raw), wire.MaxDepth, 1<<20)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
			assert.Less(t, len(err.Error()), 120, "the caller's own input is not repeated")
		})
	}
}

func TestDecodeMatchesNamesExactly(t *testing.T) {
	var req wire.Request
	require.NoError(t, wire.Decode([]byte(`{"Arguments":{"x":1},"new":true,"deadlineMs":7}`), wire.MaxDepth, wire.MaxRequestBytes, &req))
	assert.Empty(t, req.Arguments, "a name in another case is another name")
	assert.EqualValues(t, 7, req.DeadlineMs)
	assert.Error(t, wire.Decode([]byte(`{"arguments":{"x":1,"x":2}}`), wire.MaxDepth, wire.MaxRequestBytes, &req),
		"duplicates inside of what is kept raw are refused too")
	assert.Error(t, wire.Decode([]byte(`{"deadlineMs":"soon"}`), wire.MaxDepth, wire.MaxRequestBytes, &req))
	assert.Error(t, wire.Decode([]byte(`{} {}`), wire.MaxDepth, wire.MaxRequestBytes, &req))
}

// FuzzCheckJSON: what is accepted decodes too, and checking never panics.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":"\u00e9"}]}`, `{"a":1,"a":2}`, `[[[[`, `"\ud800"`, `{}x`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var out jsontext.Value // as it is: a number may be beyond what Go's types hold
		check := wire.CheckJSON(raw, wire.MaxDepth, 1<<16)
		decode := wire.Decode(raw, wire.MaxDepth, 1<<16, &out)
		if (check == nil) != (decode == nil) {
			t.Fatalf("CheckJSON says %v, Decode says %v for %q", check, decode, raw)
		}
	})
}
