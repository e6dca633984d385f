package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// A jsoncFile is a file of JSON with comments that is added to without
// touching a byte of what stands there.
type jsoncFile struct {
	data    []byte
	root    hujson.Value
	unit    string // one step of indentation
	newline string
}

// parseCommented reads a file; a blank one is an empty object.
func parseCommented(data []byte) (*jsoncFile, error) {
	if len(bytes.TrimSpace(data)) == 0 {
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

// member finds the value of a member of an object.
func member(v hujson.Value, name string) (found hujson.Value, ok bool, err error) {
	object, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return found, false, fmt.Errorf("is not an object")
	}
	for _, m := range object.Members {
		if literal, text := m.Name.Value.(hujson.Literal); text && literal.String() == name {
			if ok {
				return found, false, fmt.Errorf("%s stands there twice", name)
			}
			found, ok = m.Value, true
		}
	}
	return found, ok, nil
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
	var b strings.Builder
	b.Write(c.data[:head])
	b.WriteString(comma + kept + c.newline + indent + label + text + after + c.newline + outer)
	b.Write(c.data[closing:])
	return []byte(b.String()), nil
}

// lastOf is the last value of an object or array and how many there are.
func lastOf(container hujson.Value) (last hujson.Value, count int) {
	switch v := container.Value.(type) {
	case *hujson.Object:
		if count = len(v.Members); count > 0 {
			last = v.Members[count-1].Value
		}
	case *hujson.Array:
		if count = len(v.Elements); count > 0 {
			last = v.Elements[count-1]
		}
	}
	return last, count
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

func quoteJSON(s string) string { return string(hujson.String(s)) }
