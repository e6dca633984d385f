package clients

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// remove takes one entry out of a container, with its comma and the white space
// before it: what add put in, and not the comments around it.
func (c *jsoncFile) remove(container hujson.Value, index int) []byte {
	list := spans(container)
	gone := list[index]
	from, to := c.spaceBefore(gone.start), gone.value.EndOffset
	next := to + len(gone.value.AfterExtra)
	comma := -1 // of another entry, which goes too
	switch {
	case c.data[next] == ',' && len(bytes.TrimSpace(gone.value.AfterExtra)) == 0:
		to = next + 1
	case c.data[next] == ',':
		comma = next // a comment stands between the entry and its comma
	case index > 0:
		previous := list[index-1].value
		comma = previous.EndOffset + len(previous.AfterExtra)
	}
	if !c.lineEnds(to) && bytes.ContainsRune(c.data[from:gone.start], '\n') {
		from = gone.start // the line break may end a comment
	}
	if len(list) == 1 && comma < 0 {
		if closing := container.EndOffset - 1; len(bytes.TrimSpace(c.data[container.StartOffset+1:from])) == 0 &&
			len(bytes.TrimSpace(c.data[to:closing])) == 0 {
			return c.splice(container.StartOffset+1, closing, "")
		}
	}
	text := bytes.Clone(c.splice(from, to, ""))
	switch {
	case comma < 0:
	case comma < from:
		text = append(text[:comma], text[comma+1:]...)
	default:
		comma -= to - from
		text = append(text[:comma], text[comma+1:]...)
	}
	return text
}

// spaceBefore is where the white space before an offset begins.
func (c *jsoncFile) spaceBefore(offset int) int {
	return len(bytes.TrimRight(c.data[:offset], " \t\r\n"))
}

// lineEnds reports whether nothing but white space follows on the line.
func (c *jsoncFile) lineEnds(offset int) bool {
	for _, b := range c.data[offset:] {
		switch b {
		case '\n', '\r':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return true
}

// replace puts another value in the place of one, in the same style.
func (c *jsoncFile) replace(old hujson.Value, value any) ([]byte, error) {
	var text string
	var err error
	if bytes.ContainsAny(c.data[old.StartOffset:old.EndOffset], "\n") {
		text, err = c.render(value, c.leading(old.StartOffset))
	} else {
		text, err = renderLine(value)
	}
	if err != nil {
		return nil, err
	}
	return c.splice(old.StartOffset, old.EndOffset, text), nil
}
