package cli

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

func TestAddingAMemberKeepsWhatStandsThere(t *testing.T) {
	tests := map[string]struct{ before, after string }{
		"nothing":                        {"", "{\n  \"new\": 1\n}\n"},
		"an empty object":                {"{}", "{\n  \"new\": 1\n}"},
		"an object of comments alone":    {"{\n  // c\n}\n", "{\n  // c\n  \"new\": 1\n}\n"},
		"one line":                       {`{"a": 1}`, "{\"a\": 1,\n  \"new\": 1\n}"},
		"tabs":                           {"{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"new\": 1\n}\n"},
		"four spaces":                    {"{\n    \"a\": 1\n}\n", "{\n    \"a\": 1,\n    \"new\": 1\n}\n"},
		"a trailing comma":               {"{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"new\": 1,\n}"},
		"a comment behind the last":      {"{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  \"new\": 1\n}"},
		"a comment behind the comma":     {"{\n  \"a\": 1, // one\n}", "{\n  \"a\": 1, // one\n  \"new\": 1,\n}"},
		"a comment on the last line":     {"{\n  \"a\": 1\n  /* end */ }", "{\n  \"a\": 1,\n  /* end */\n  \"new\": 1\n}"},
		"carriage returns":               {"{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"new\": 1\r\n}\r\n"},
		"comments around the object":     {"// head\n{\n  \"a\": 1\n}\n// tail\n", "// head\n{\n  \"a\": 1,\n  \"new\": 1\n}\n// tail\n"},
		"an indented closing bracket":    {"{\"a\": 1\n  }", "{\"a\": 1,\n    \"new\": 1\n  }"},
		"a value of brackets at the end": {"{\n  \"a\": {}\n}", "{\n  \"a\": {},\n  \"new\": 1\n}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := parseCommented([]byte(tt.before))
			require.NoError(t, err)
			after, err := c.addMember(c.root, "new", 1)
			require.NoError(t, err)
			assert.Equal(t, tt.after, string(after))
		})
	}
}

func TestSetupFilesAreAddedToOnce(t *testing.T) {
	for _, s := range setups() {
		c, err := parseCommented(nil)
		require.NoError(t, err)
		once, err := s.add(c)
		require.NoError(t, err)
		c, err = parseCommented(once)
		require.NoError(t, err)
		twice, err := s.add(c)
		require.NoError(t, err)
		assert.Nil(t, twice, s.file)
		plain, err := hujson.Standardize(once)
		require.NoError(t, err)
		assert.True(t, json.Valid(plain), s.file)
	}
}

// FuzzSetup adds to any file: it is refused, or every byte of it is kept, in
// order, and the result is one that needs nothing more.
func FuzzSetup(f *testing.F) {
	for _, text := range []string{
		"", "{}", "{\"mcpServers\": {}}", "{\"servers\": {\"a\": 1,} // c\n}", `{"tasks": [{"label": "x"}, /* */]}`,
		"{\"mcpServers\": {\"berth\": 1}}", `{"tasks": 1}`, `{"servers": 1, "servers": {}}`, "//\n{\r\n}", "{\"tasks\": [\n  ], \"version\": 3}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		for _, s := range setups() {
			c, err := parseCommented(before)
			if err != nil {
				return
			}
			after, err := s.add(c)
			if err != nil || after == nil {
				continue
			}
			if !subsequence(c.data, after) {
				t.Fatalf("%s: lost something of %q in %q", s.file, before, after)
			}
			again, err := parseCommented(after)
			if err != nil {
				t.Fatalf("%s: %q became %q: %v", s.file, before, after, err)
			}
			if more, err := s.add(again); err != nil || more != nil {
				t.Fatalf("%s: %q is not final: %v", s.file, after, err)
			}
		}
	})
}

// subsequence reports whether text holds the bytes of part in order, white
// space aside.
func subsequence(part, text []byte) bool {
	for _, b := range part {
		if bytes.IndexByte([]byte(" \t\r\n"), b) >= 0 {
			continue
		}
		i := bytes.IndexByte(text, b)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}
