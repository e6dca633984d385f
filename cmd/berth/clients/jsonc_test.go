package clients

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAddingAMemberKeepsWhatStandsThere(t *testing.T) {
	tests := map[string]struct{ before, after string }{
		"nothing":                        {"", "{\n  \"new\": 1\n}\n"},
		"an empty object":                {"{}", "{\n  \"new\": 1\n}"},
		"an object of comments alone":    {"{\n  // c\n}\n", "{\n  // c\n  \"new\": 1\n}\n"},
		"one line":                       {`{"a": 1}`, `{"a": 1, "new": 1}`},
		"one line, spaced":               {`{ "a": 1 /* one */ }`, `{ "a": 1, /* one */ "new": 1 }`},
		"one line, a trailing comma":     {`{"a": 1, }`, `{"a": 1, "new": 1, }`},
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

func TestWhatWasAddedIsTakenOut(t *testing.T) {
	for _, before := range []string{
		`{"a": 1}`, `{ "a": 1 }`, "{\n  \"a\": 1\n}\n", "{\n\t\"a\": 1 // one\n}\n", "{\r\n  \"a\": 1,\r\n}\r\n", "// head\n{\n  // c\n  \"a\": 1 // d\n  // e\n}\n// tail",
		"{\n  \"a\": {}\n}", "{\n  \"a\": 1 /* one */\n}", "{\n  // c\n}\n", "{}",
	} {
		t.Run(before, func(t *testing.T) {
			c, err := parseCommented([]byte(before))
			require.NoError(t, err)
			after, err := c.addMember(c.root, "new", 1)
			require.NoError(t, err)
			c, err = parseCommented(after)
			require.NoError(t, err)
			_, count := lastOf(c.root)
			assert.Equal(t, before, string(c.remove(c.root, count-1)))
		})
	}
}

func TestTakingAnEntryOutKeepsItsNeighbours(t *testing.T) {
	tests := map[string]struct{ before, after string }{
		"the first":              {"{\n  \"new\": 1,\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"},
		"between two":            {"{\n  \"a\": 1, // a\n  \"new\": 1, // new\n  \"b\": 2\n}", "{\n  \"a\": 1, // a\n   // new\n  \"b\": 2\n}"},
		"a comment before it":    {"{\n  // about new\n  \"new\": 1\n}", "{\n  // about new\n}"},
		"a bracket behind it":    {"{ // c\n  \"new\": 1 }", "{ // c\n   }"},
		"a comment at its comma": {"{\"new\": 1 /* c */, \"a\": 1}", "{ /* c */ \"a\": 1}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := parseCommented([]byte(tt.before))
			require.NoError(t, err)
			index, err := find(c.root, "new")
			require.NoError(t, err)
			assert.Equal(t, tt.after, string(c.remove(c.root, index)))
		})
	}
}

// formats are all that there are, by the client that reads them.
func formats() map[string]format {
	m := Machine{GOOS: "linux", Home: "/home/ann", Getenv: func(string) string { return "" }}
	list := map[string]format{}
	for _, c := range All() {
		for _, f := range c.files(m) {
			list[c.ID+" "+string(f.scope)+" "+f.path[len(f.path)-1]] = f.format
		}
	}
	return list
}

// FuzzFormats adds to any file and takes out again: it is refused, or every
// byte of it is kept, in order, and the result has the entry and then not.
func FuzzFormats(f *testing.F) {
	for _, text := range []string{
		"", "{}", "{\"mcpServers\": {}}", "{\"servers\": {\"a\": 1,} // c\n}", `{"tasks": [{"label": "x"}, /* */]}`,
		"{\"mcpServers\": {\"berth\": 1}}", `{"tasks": 1}`, `{"servers": 1, "servers": {}}`, "//\n{\r\n}", "{\"tasks\": [\n  ], \"version\": 3}",
		"{\"mcp\": {\"a\":\n1//\n}}", "model = \"x\"\n", "[mcp_servers.a]\ncommand = \"b\"", "a = 1 # c\r\n[mcp_servers]\r\n", "mcp_servers = {a = {command = \"b\"}}",
		"[mcp_servers.berth]\ncommand = 'x'\n[mcp_servers.berth.env]\nA = \"1\"\n", "[[a]]\n", "[mCp_servers.berth]\ncommand='0'\n[mcp_servers.berth]", "a = [\n1,\n2]",
	} {
		f.Add([]byte(text))
	}
	e := Entry{Command: `C:\Program Files\berth.exe`, Args: []string{"mcp"}}
	f.Fuzz(func(t *testing.T, before []byte) {
		for name, format := range formats() {
			doc, err := format.parse(before)
			if err != nil {
				continue
			}
			old, found, err := doc.entry()
			if err != nil {
				continue
			}
			after := before
			if !found {
				if after, err = doc.add(e); err != nil {
					continue
				}
				if !subsequence(before, after) {
					t.Fatalf("%s: lost something of %q in %q", name, before, after)
				}
			} else if old.Command == "" {
				continue
			}
			again, err := format.parse(after)
			if err != nil {
				if _, isTOML := format.(tomlServers); isTOML {
					continue // an inline table: Target.Add refuses it
				}
				t.Fatalf("%s: %q became %q: %v", name, before, after, err)
			}
			if now, ok, err := again.entry(); err != nil || !ok || !found && now.Command != e.Command {
				t.Fatalf("%s: %q has no entry: %v", name, after, err)
			}
			rest, err := again.remove()
			if err != nil {
				t.Fatalf("%s: %q: %v", name, after, err)
			}
			last, err := format.parse(rest)
			if err != nil {
				t.Fatalf("%s: %q without its entry is %q: %v", name, after, rest, err)
			}
			if _, ok, err := last.entry(); err != nil || ok {
				t.Fatalf("%s: %q still has the entry: %v", name, rest, err)
			}
			if !found && !subsequence(before, rest) {
				t.Fatalf("%s: %q lost something of %q", name, rest, before)
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
