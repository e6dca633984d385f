package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// A jsoncFile is a file of JSON with comments that is edited without touching
// a byte of the rest.
type jsoncFile struct {
	data    []byte
	root    hujson.Value
	unit    string // one step of indentation
	newline string
}

// parseCommented reads a file; a blank one is an empty object.
func parseCommented(data []byte) (*jsoncFile, error) {
	if len(bytes.Trim(data, " \t\r\n")) == 0 {
		data = []byte("{\n}\n")
	}
	root, line, err := settings.ParseCommented(data)
	if err != nil && line > 0 {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	if err != nil {
		return nil, err
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, fmt.Errorf("is not an object")
	}
	c := &jsoncFile{data: data, root: root, unit: "  ", newline: "\n"}
	if bytes.Contains(data, []byte("\r\n")) {
		c.newline = "\r\n"
	}
	if members := root.Value.(*hujson.Object).Members; len(members) > 0 {
		if lead := c.leading(members[0].Name.StartOffset); lead != "" {
			c.unit = lead
		}
	}
	return c, nil
}

// errNoObject is of a value in whose place a client wants an object.
var errNoObject = errors.New("is not an object")

// find returns the index of a member of an object, -1 if there is none.
func find(v hujson.Value, name string) (index int, err error) {
	object, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return -1, errNoObject
	}
	index = -1
	for i, m := range object.Members {
		if literal, text := m.Name.Value.(hujson.Literal); text && literal.String() == name {
			if index >= 0 {
				return -1, fmt.Errorf("%s stands there twice", name)
			}
			index = i
		}
	}
	return index, nil
}

// lookUp finds the value of a member of an object.
func lookUp(v hujson.Value, name string) (found hujson.Value, ok bool, err error) {
	index, err := find(v, name)
	if err != nil || index < 0 {
		return found, false, err
	}
	return v.Value.(*hujson.Object).Members[index].Value, true, nil
}

// addMember puts a member at the end of an object.
func (c *jsoncFile) addMember(object hujson.Value, name string, value any) ([]byte, error) {
	return c.add(object, quoteJSON(name)+": ", value)
}

// addElement puts a value at the end of an array.
func (c *jsoncFile) addElement(array hujson.Value, value any) ([]byte, error) {
	return c.add(array, "", value)
}

// add puts an entry before the closing bracket of a container. A comma goes
// right behind the last value, so that a comment after it stays its own.
func (c *jsoncFile) add(container hujson.Value, label string, value any) ([]byte, error) {
	last, count := lastOf(container)
	closing := container.EndOffset - 1
	head := container.StartOffset + 1 // everything before is kept
	comma, after := "", ""
	if count > 0 {
		head = last.EndOffset
		comma = ","
		if next := head + len(last.AfterExtra); c.data[next] == ',' {
			head, comma, after = next+1, "", ","
		}
	}
	gap := string(c.data[head:closing]) // white space and comments
	kept := strings.TrimRight(gap, " \t\r\n")
	if c.oneLine(container, count) {
		text, err := renderLine(value)
		if err != nil {
			return nil, err
		}
		space := " "
		if count == 0 {
			space = ""
		}
		return c.splice(head, closing, comma+kept+space+label+text+after+gap[len(kept):]), nil
	}
	outer := c.leading(container.StartOffset)
	if i := strings.LastIndexByte(gap, '\n'); i >= len(kept) {
		outer = gap[i+1:] // the closing bracket has a line of its own
	}
	indent := outer + c.unit
	if count > 0 {
		if lead := c.leading(last.StartOffset); len(lead) > len(outer) {
			indent = lead
		}
	}
	text, err := c.render(value, indent)
	if err != nil {
		return nil, err
	}
	return c.splice(head, closing, comma+kept+c.newline+indent+label+text+after+c.newline+outer), nil
}

// oneLine reports whether a container is written in one line and stays so: it
// has entries there already, or the whole file has but one line.
func (c *jsoncFile) oneLine(container hujson.Value, count int) bool {
	if bytes.ContainsAny(c.data[container.StartOffset:container.EndOffset], "\r\n") {
		return false
	}
	inner := container.StartOffset != c.root.StartOffset
	return count > 0 || inner && !bytes.ContainsAny(c.data[c.root.StartOffset:c.root.EndOffset], "\r\n")
}

// splice returns the text with a part of it replaced.
func (c *jsoncFile) splice(from, to int, text string) []byte {
	return bytes.Join([][]byte{c.data[:from], []byte(text), c.data[to:]}, nil)
}

// lastOf is the last value of an object or array and how many there are.
func lastOf(container hujson.Value) (last hujson.Value, count int) {
	list := spans(container)
	if len(list) == 0 {
		return last, 0
	}
	return list[len(list)-1].value, len(list)
}

// span is a member of an object or an element of an array.
type span struct {
	start int // where its name begins, or the value of an element
	value hujson.Value
}

func spans(container hujson.Value) []span {
	var list []span
	switch v := container.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			list = append(list, span{m.Name.StartOffset, m.Value})
		}
	case *hujson.Array:
		for _, e := range v.Elements {
			list = append(list, span{e.StartOffset, e})
		}
	}
	return list
}

// leading is the white space that the line of an offset starts with.
func (c *jsoncFile) leading(offset int) string {
	start := bytes.LastIndexByte(c.data[:offset], '\n') + 1
	end := start
	for end < len(c.data) && (c.data[end] == ' ' || c.data[end] == '\t') {
		end++
	}
	return string(c.data[start:end])
}

func (c *jsoncFile) render(value any, indent string) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, c.unit)
	if err := enc.Encode(value); err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", c.newline), nil
}

// renderLine renders a value in one line, with a space where people put one.
func renderLine(value any) (string, error) {
	text, err := (&jsoncFile{unit: "\t", newline: "\n"}).render(value, "")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(line, "\t")
		closes := strings.HasPrefix(line, "}") || strings.HasPrefix(line, "]")
		opened := strings.HasSuffix(b.String(), "{") || strings.HasSuffix(b.String(), "[")
		if i > 0 && !closes && !opened {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

func quoteJSON(s string) string { return string(hujson.String(s)) }
