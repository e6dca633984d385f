package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// NewConnection is a connection to be written into a settings file.
type NewConnection struct {
	Name            string
	URL, Path       string // one of them
	PasswordCommand string // "": none
	Design          string // in place of an address: the dialect of a design without a database
}

// fields are its settings as YAML, in order.
func (c NewConnection) fields() []string {
	var list []string
	for _, f := range []struct{ key, text string }{{"path", c.Path}, {"url", c.URL}, {"passwordCommand", c.PasswordCommand}} {
		if f.text != "" {
			list = append(list, f.key+": "+quotedYAML(f.text))
		}
	}
	if c.Design != "" {
		list = append(list, "dialect: "+c.Design, "design: true")
	}
	return list
}

// quotedYAML is text as YAML holds it: in double quotes unless it is plain.
func quotedYAML(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_/.", r)
	}
	digits := func(r rune) bool { return plain(r) || r >= '0' && r <= '9' || r == '-' }
	if text != "" && plain(rune(text[0])) && !strings.ContainsFunc(text, func(r rune) bool { return !digits(r) }) && strings.Contains(text, ".") {
		return text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // text always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// Lines are the lines that stand for it under connections in a file without
// any.
func (c NewConnection) Lines() []string {
	return append([]string{keyConnections + ":"}, c.entry("  ", false)...)
}

// entry is it as an item of a mapping or of a list, each line indented.
func (c NewConnection) entry(indent string, listed bool) []string {
	fields := c.fields()
	if listed {
		lines := []string{indent + "- name: " + c.Name}
		for _, f := range fields {
			lines = append(lines, indent+"  "+f)
		}
		return lines
	}
	if len(fields) == 1 && c.Path != "" || c.Design != "" {
		return []string{indent + c.Name + ": {" + strings.Join(fields, ", ") + "}"}
	}
	lines := []string{indent + c.Name + ":"}
	for _, f := range fields {
		lines = append(lines, indent+"  "+f)
	}
	return lines
}

// ErrForm says that a settings file is written in a way that a connection
// cannot be put into without writing the rest again.
var ErrForm = errors.New("its connections are written in a form that is not edited here")

// Insert returns the text of a settings file with one more connection. All
// other bytes stay as they are. It does not look at what the file means: Load
// reads the result with [Sources.Draft].
func Insert(data []byte, c NewConnection) ([]byte, error) {
	if err := checkConnectionName(c.Name); err != nil {
		return nil, err
	}
	body := bytes.TrimPrefix(data, byteOrderMark)
	mark := data[:len(data)-len(body)]
	f := ownFile{}
	root, err := f.parse(body)
	if err != nil {
		return nil, err
	}
	end := "\n"
	if bytes.Contains(body, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := splitLines(string(body), end)
	if lines, err = insertInto(lines, root, c, end); err != nil {
		return nil, err
	}
	return append(slices.Clone(mark), strings.Join(lines, "")...), nil
}

// splitLines keeps the ends of lines, and ends the last one.
func splitLines(text, end string) []string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	} else {
		lines[last] += end
	}
	return lines
}

// insertInto puts the connection in its place.
func insertInto(lines []string, root ast.Node, c NewConnection, end string) ([]string, error) {
	ended := func(list []string) []string {
		for i := range list {
			list[i] += end
		}
		return list
	}
	if root == nil || scalarOf(root).kind == kindNothing {
		return append(lines, ended(c.Lines())...), nil
	}
	top, ok := root.(*ast.MappingNode)
	if !ok || top.IsFlowStyle {
		return nil, ErrForm
	}
	for _, pair := range top.Values {
		key, ok := pair.Key.(*ast.StringNode)
		if !ok || key.Value != keyConnections {
			continue
		}
		return insertBelow(lines, pair, c, ended)
	}
	if len(top.Values) > 0 && column(top.Values[0].Key) != 1 {
		return nil, ErrForm
	}
	return append(lines, ended(c.Lines())...), nil
}

// insertBelow puts the connection behind those that are there.
func insertBelow(lines []string, pair *ast.MappingValueNode, c NewConnection, ended func([]string) []string) ([]string, error) {
	at, margin := line(pair.Key), column(pair.Key)-1
	if at < 1 || at > len(lines) {
		return nil, ErrForm
	}
	first, listed := 0, false // the indentation of what is there
	switch v := pair.Value.(type) {
	case *ast.NullNode:
		first = margin + 2
	case *ast.MappingNode:
		if v.IsFlowStyle {
			return insertFlow(lines, v, at, margin, c, ended)
		}
		first = column(v.Values[0].Key) - 1
	case *ast.SequenceNode:
		if v.IsFlowStyle || len(v.Values) == 0 {
			return nil, ErrForm
		}
		first, listed = column(v)-1, true
	default:
		return nil, ErrForm
	}
	last := at // the last line that belongs to connections
	for i := at; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if text == "" || strings.HasPrefix(text, "#") && indent <= margin {
			continue
		}
		if indent < first || !listed && indent <= margin || listed && indent == first && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "#") {
			break
		}
		last = i + 1
	}
	return slices.Insert(slices.Clone(lines), last, ended(c.entry(strings.Repeat(" ", first), listed))...), nil
}

// insertFlow puts the connection into {…}: where that is empty by a block in
// its place, else before the brace, which is on one line with the key.
func insertFlow(lines []string, v *ast.MappingNode, at, margin int, c NewConnection, ended func([]string) []string) ([]string, error) {
	text := lines[at-1]
	lines = slices.Clone(lines)
	if len(v.Values) == 0 {
		before, after, ok := strings.Cut(text, "{")
		inside, after, closed := strings.Cut(after, "}")
		if !ok || !closed || strings.TrimSpace(inside) != "" {
			return nil, ErrForm
		}
		lines[at-1] = strings.TrimRight(before, " ") + after
		return slices.Insert(lines, at, ended(c.entry(strings.Repeat(" ", margin+2), false))...), nil
	}
	brace := v.End
	if brace == nil || brace.Position == nil || brace.Position.Line != at {
		return nil, ErrForm
	}
	runes := []rune(text)
	i := brace.Position.Column - 1
	if i < 0 || i >= len(runes) || runes[i] != '}' {
		return nil, ErrForm
	}
	lines[at-1] = strings.TrimRight(string(runes[:i]), " ") + ", " + c.Name + ": {" + strings.Join(c.fields(), ", ") + "}" + string(runes[i:])
	return lines, nil
}

// column is where a node starts, counted from 1; 0 if it does not say.
func column(node ast.Node) int {
	if t := node.GetToken(); t != nil && t.Position != nil {
		return t.Position.Column
	}
	return 0
}

// RelativePath is a database file as a project's settings name it: below the
// root where it is there, with forward slashes.
func RelativePath(root, file string) string {
	if inside(root, file) {
		if rel, err := filepath.Rel(root, file); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return file
}
