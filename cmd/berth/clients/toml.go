package clients

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlServers is Codex's config.toml: a table [mcp_servers.berth].
type tomlServers struct{}

// tomlList is the table of the servers.
const tomlList = "mcp_servers"

// errInline is of an entry that is not a table of its own.
var errInline = errors.New("the entry berth in mcp_servers is not a table [mcp_servers.berth] of its own: change it by hand")

// tomlDocument is a parsed file. Where the entry stands is found by the
// parser; the rest of the text is never written again.
type tomlDocument struct {
	data     []byte
	found    bool
	own      Entry
	sections []section // of the entry, with its sub-tables
	values   map[string]section
}

// section is a range of the text.
type section struct{ from, to int }

func (tomlServers) parse(text []byte) (document, error) {
	d := &tomlDocument{data: text, values: map[string]section{}}
	var all map[string]any // names of struct fields would match in any case
	if err := toml.Unmarshal(text, &all); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return nil, fmt.Errorf("line %d: is not TOML that Codex reads", line)
		}
		return nil, errors.New("is not TOML that Codex reads")
	}
	servers, isTable := all[tomlList].(map[string]any)
	if all[tomlList] != nil && !isTable {
		return nil, fmt.Errorf("%s is not a table", tomlList)
	}
	entry, found := servers[serverName]
	if d.found = found; !found {
		return d, nil
	}
	d.own = tomlEntry(entry)
	return d, d.locate()
}

// tomlEntry reads an entry.
func tomlEntry(v any) Entry {
	table, ok := v.(map[string]any)
	if !ok {
		return Entry{}
	}
	e := Entry{Bare: true}
	for key := range table {
		e.Bare = e.Bare && slices.Contains([]string{"command", "args", "enabled", "tools", "default_tools_approval_mode",
			"startup_timeout_sec", "tool_timeout_sec"}, key)
	}
	if e.Command, ok = table["command"].(string); !ok {
		return Entry{}
	}
	list, _ := table["args"].([]any)
	for _, arg := range list {
		text, ok := arg.(string)
		if !ok {
			return Entry{}
		}
		e.Args = append(e.Args, text)
	}
	return e
}

// locate finds the entry's tables in the text, and the values in the first.
func (d *tomlDocument) locate() error {
	p := unstable.Parser{}
	p.Reset(d.data)
	inside, first := false, false
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, at := keys(node)
			inside = len(path) >= 2 && path[0] == tomlList && path[1] == serverName
			first = inside && len(path) == 2
			if inside {
				start := bytes.LastIndexByte(d.data[:at], '\n') + 1
				d.sections = append(d.sections, section{start, d.lineEnd(at)})
			}
		case unstable.KeyValue:
			if !inside {
				continue
			}
			path, _ := keys(node)
			whole := section{int(node.Raw.Offset), int(node.Raw.Offset + node.Raw.Length)}
			d.sections[len(d.sections)-1].to = d.lineEnd(whole.to)
			if first && len(path) == 1 {
				d.values[path[0]] = whole
			}
		}
	}
	if err := p.Error(); err != nil || len(d.sections) == 0 {
		return errInline
	}
	return nil
}

// keys returns the parts of a key and the offset of the first.
func keys(node *unstable.Node) (path []string, at int) {
	at = -1
	for it := node.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
		if at < 0 {
			at = int(it.Node().Raw.Offset)
		}
	}
	return path, at
}

// lineEnd is the offset behind the line break of the line of an offset.
func (d *tomlDocument) lineEnd(offset int) int {
	if i := bytes.IndexByte(d.data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(d.data)
}

func (d *tomlDocument) newline() string {
	if bytes.Contains(d.data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *tomlDocument) entry() (Entry, bool, error) { return d.own, d.found, nil }

// add puts the table at the end: anywhere else it would take the keys that
// follow it.
func (d *tomlDocument) add(e Entry) ([]byte, error) {
	newline := d.newline()
	var b bytes.Buffer
	b.Write(d.data)
	if len(d.data) > 0 && !bytes.HasSuffix(d.data, []byte("\n")) {
		b.WriteString(newline)
	}
	if len(bytes.TrimSpace(d.data)) > 0 {
		b.WriteString(newline)
	}
	for _, line := range []string{"[" + tomlList + "." + serverName + "]", tomlCommand(e), tomlArgs(e)} {
		b.WriteString(line + newline)
	}
	return b.Bytes(), nil
}

// tomlText is a string as TOML writes it: JSON's, but for DEL, which TOML
// wants escaped.
func tomlText(s string) string { return strings.ReplaceAll(quoteJSON(s), "\x7f", `\u007f`) }

func tomlCommand(e Entry) string { return "command = " + tomlText(e.Command) }

func tomlArgs(e Entry) string {
	var quoted []string
	for _, arg := range e.Args {
		quoted = append(quoted, tomlText(arg))
	}
	return "args = [" + strings.Join(quoted, ", ") + "]"
}

func (d *tomlDocument) mend(e Entry) ([]byte, error) {
	command, ok := d.values["command"]
	args, hasArgs := d.values["args"]
	if !ok {
		return nil, errInline
	}
	text := tomlCommand(e)
	keep := len(d.own.Args) > 0 && d.own.Args[0] == "mcp"
	switch {
	case keep:
	case !hasArgs:
		text += d.newline() + tomlArgs(e)
	case args.from > command.from:
		return d.splice(command, text, args, tomlArgs(e)), nil
	default:
		return d.splice(args, tomlArgs(e), command, text), nil
	}
	return d.splice(command, text, section{len(d.data), len(d.data)}, ""), nil
}

// splice replaces two sections, the first of which comes first.
func (d *tomlDocument) splice(one section, oneText string, two section, twoText string) []byte {
	return bytes.Join([][]byte{d.data[:one.from], []byte(oneText), d.data[one.to:two.from], []byte(twoText), d.data[two.to:]}, nil)
}

// remove takes the tables out, each with the empty line before it.
func (d *tomlDocument) remove() ([]byte, error) {
	text := bytes.Clone(d.data)
	for _, s := range slices.Backward(d.sections) {
		for _, newline := range []string{"\r\n", "\n"} {
			if bytes.HasSuffix(text[:s.from], []byte("\n"+newline)) {
				s.from -= len(newline)
				break
			}
		}
		text = append(text[:s.from], text[s.to:]...)
	}
	return text, nil
}
