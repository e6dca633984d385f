package portmap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// content is the parsed content of one file. People and other programs may
// write into the file too, so members that are not understood are kept and do
// not invalidate the others.
type content[V any] struct {
	byRoot map[string]V
	other  map[string]jsontext.Value // members that berth does not understand; kept unchanged
	// lossy reports that the text has more than members, such as comments,
	// which the next write drops.
	lossy bool
}

// fileForm parses the members of one kind of file.
type fileForm[V any] struct {
	all func(text []byte) (map[string]V, error) // the whole file, if nothing in it is odd
	one func(member jsontext.Value) (V, bool)   // one member
}

// read parses a file's text as far as possible. If it returns an error, which
// wraps [ErrBroken], the content has the members before the syntax error.
func (f fileForm[V]) read(text []byte) (content[V], error) {
	if byRoot, err := f.all(text); err == nil {
		return content[V]{byRoot: byRoot}, nil
	}
	c := content[V]{byRoot: map[string]V{}, other: map[string]jsontext.Value{}}
	plain := bytes.TrimPrefix(text, []byte("\ufeff"))
	if standard, err := hujson.Standardize(bytes.Clone(plain)); err == nil {
		plain = standard
	}
	c.lossy = !bytes.Equal(plain, text)
	if err := f.members(&c, plain); err != nil {
		return c, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return c, nil
}

// members adds the members of an object to c. A member counts only if something
// follows it, because a number at the end of a truncated text may have lost
// digits. Of duplicate names the last counts, as in most JSON parsers.
func (f fileForm[V]) members(c *content[V], text []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	if start, err := d.ReadToken(); err != nil {
		return err
	} else if start.Kind() != '{' {
		return errors.New("not an object")
	}
	for keep := func() {}; ; {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		keep()
		if token.Kind() == '}' {
			break
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		value = value.Clone()
		keep = func() { f.add(c, name, value) }
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("text after the object")
	}
	return nil
}

func (f fileForm[V]) add(c *content[V], name string, value jsontext.Value) {
	_, odd := c.other[name]
	_, known := c.byRoot[name]
	c.lossy = c.lossy || odd || known
	delete(c.other, name)
	delete(c.byRoot, name)
	if v, ok := f.one(value); ok {
		c.byRoot[name] = v
		return
	}
	c.other[name] = value
}

// encode returns the text of a file, with sorted names and an indentation of
// two spaces. If a member that berth does not understand has the same name as
// one of berth's, the latter wins.
func (c content[V]) encode() ([]byte, error) {
	if len(c.other) == 0 {
		return encode(c.byRoot)
	}
	all := make(map[string]any, len(c.byRoot)+len(c.other))
	for name, value := range c.other {
		all[name] = value
	}
	for name, value := range maps.All(c.byRoot) {
		all[name] = value
	}
	return encode(all)
}

// encode returns byRoot as JSON in the form of all files of this package.
func encode[V any](byRoot map[string]V) ([]byte, error) {
	text, err := json.Marshal(byRoot, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
