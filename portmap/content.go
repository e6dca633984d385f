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

// content is what a file of the map says. People and other programs write
// into it as well: what is understood counts, whatever stands beside it.
type content[V any] struct {
	byRoot map[string]V
	odd    map[string]jsontext.Value // members that say nothing to berth; they stay as they are
	// lossy: the text has more than members, such as comments, which the next
	// write would drop.
	lossy bool
}

// form is how the members of one file read.
type form[V any] struct {
	all func(text []byte) (map[string]V, error) // the whole file, if nothing in it is odd
	one func(member jsontext.Value) (V, bool)   // one member
}

// read understands a file's text as far as it can. With an error, which wraps
// [ErrBroken], the content has what stands before the place that cannot be
// read.
func (f form[V]) read(text []byte) (content[V], error) {
	if byRoot, err := f.all(text); err == nil {
		return content[V]{byRoot: byRoot}, nil
	}
	c := content[V]{byRoot: map[string]V{}, odd: map[string]jsontext.Value{}}
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

// members adds the members of an object to c. One counts once something
// follows it: the number at the end of a text that was cut off may have lost
// digits. Of a name that is there twice the last counts, as most readers of
// JSON have it.
func (f form[V]) members(c *content[V], text []byte) error {
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

func (f form[V]) add(c *content[V], name string, value jsontext.Value) {
	_, odd := c.odd[name]
	_, known := c.byRoot[name]
	c.lossy = c.lossy || odd || known
	delete(c.odd, name)
	delete(c.byRoot, name)
	if v, ok := f.one(value); ok {
		c.byRoot[name] = v
		return
	}
	c.odd[name] = value
}

// encode writes the text of a file: names sorted, indented by two spaces, for
// people and programs alike. An odd member yields to one of berth's own.
func (c content[V]) encode() ([]byte, error) {
	if len(c.odd) == 0 {
		return encode(c.byRoot)
	}
	all := make(map[string]any, len(c.byRoot)+len(c.odd))
	for name, value := range c.odd {
		all[name] = value
	}
	for name, value := range maps.All(c.byRoot) {
		all[name] = value
	}
	return encode(all)
}

// encode writes an object as every file of the map is written.
func encode[V any](byRoot map[string]V) ([]byte, error) {
	text, err := json.Marshal(byRoot, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
