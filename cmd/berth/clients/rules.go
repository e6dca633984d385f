package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"
)

// A rule is how much beyond JSON a client's parser takes.
type rule int

const (
	plainJSON     rule = iota // neither comments nor trailing commas
	commentsOnly              // comments, no trailing commas
	commentedJSON             // both
)

// check returns an error if the client would not read the file. It repeats
// nothing of the text.
func (c *jsoncFile) check(r rule, client string) error {
	if r == commentedJSON || json.Valid(c.data) {
		return nil
	}
	blanked := c.blankComments()
	if line := errorLine(blanked); line > 0 {
		return fmt.Errorf("line %d: a comma stands before the closing bracket, and %s takes none there", line, client)
	}
	if r == commentsOnly {
		return nil
	}
	for i := range c.data { // the first byte that blanking changed
		if c.data[i] != blanked[i] {
			return fmt.Errorf("line %d: is a comment, and %s takes none in this file", 1+bytes.Count(c.data[:i], []byte("\n")), client)
		}
	}
	return nil
}

// errorLine is the line at which a text stops being JSON, 0 if it is JSON.
func errorLine(text []byte) int {
	var v any
	err := json.Unmarshal(text, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
	}
	return 0
}

// blankComments returns the text with spaces for comments, every line in its
// place.
func (c *jsoncFile) blankComments() []byte {
	text := bytes.Clone(c.data)
	blank := func(from int, extra hujson.Extra) {
		for i := from; i < min(from+len(extra), len(text)); i++ {
			if !bytes.ContainsRune([]byte(" \t\r\n"), rune(text[i])) {
				text[i] = ' '
			}
		}
	}
	root := c.root
	for v := range root.All() {
		blank(v.StartOffset-len(v.BeforeExtra), v.BeforeExtra)
		blank(v.EndOffset, v.AfterExtra)
		switch inner := v.Value.(type) {
		case *hujson.Object:
			blank(v.EndOffset-1-len(inner.AfterExtra), inner.AfterExtra)
		case *hujson.Array:
			blank(v.EndOffset-1-len(inner.AfterExtra), inner.AfterExtra)
		}
	}
	return text
}
