package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// A scalar is a value as a file spells it, before a field says what it means.
type scalar struct {
	kind string // "text", "number", "yes-no", "nothing", "list", "mapping", …
	text string
	flag bool
	num  int64
	list []string // of a list of texts; nil: it holds something else
}

// A field is one setting of T: its name in files and how it is set and read.
type field[T any] struct {
	name string // dotted from the top of the file or of the connection
	set  func(*T, scalar) error
	get  func(*T) any
	// right, where there is one, has more than the user's own settings allow
	// wait for the user's trust.
	right *right[T]
	// userOnly says that only the user's own file may set it: a project's file
	// may be a stranger's.
	userOnly bool
}

func boolField[T any](name string, at func(*T) *bool) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return *at(t) },
		set: func(t *T, v scalar) error {
			if v.kind != kindBool {
				return wrongType("true or false", v)
			}
			*at(t) = v.flag
			return nil
		},
	}
}

func intField[T any](name string, low, high int, at func(*T) *int) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return *at(t) },
		set: func(t *T, v scalar) error {
			if v.kind != kindInt {
				return wrongType("a whole number", v)
			}
			if v.num < int64(low) || v.num > int64(high) {
				return fmt.Errorf("must be from %d to %d, not %d", low, high, v.num)
			}
			*at(t) = int(v.num)
			return nil
		},
	}
}

func textField[T any](name string, at func(*T) *string) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return *at(t) },
		set: func(t *T, v scalar) error {
			if v.kind != kindText {
				return wrongType("text", v)
			}
			if strings.TrimSpace(v.text) == "" {
				return fmt.Errorf("must not be empty")
			}
			*at(t) = v.text
			return nil
		},
	}
}

// wordsField takes a list of words that hold no space.
func wordsField[T any](name string, at func(*T) *[]string) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return strings.Join(*at(t), " ") },
		set: func(t *T, v scalar) error {
			if v.kind != kindList || v.list == nil {
				return wrongType("a list of words", v)
			}
			for _, word := range v.list {
				if strings.Join(strings.Fields(word), "") != word || word == "" {
					return fmt.Errorf("must be a list of words without spaces, not %s", shown(word))
				}
			}
			*at(t) = v.list
			return nil
		},
	}
}

// forUser is a field that only the user's own file may set.
func forUser[T any](f field[T]) field[T] {
	f.userOnly = true
	return f
}

func wordField[T any](name string, words []string, at func(*T) *string) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return *at(t) },
		set: func(t *T, v scalar) error {
			if v.kind != kindText {
				return wrongType("one of "+strings.Join(words, ", "), v)
			}
			if !slices.Contains(words, v.text) {
				return fmt.Errorf("must be one of %s, not %s", strings.Join(words, ", "), shown(v.text))
			}
			*at(t) = v.text
			return nil
		},
	}
}

func durationField[T any](name string, low, high time.Duration, at func(*T) *time.Duration) field[T] {
	return field[T]{
		name: name,
		get:  func(t *T) any { return *at(t) },
		set: func(t *T, v scalar) error {
			d, err := time.ParseDuration(v.text)
			if v.kind != kindText || err != nil {
				return wrongType("a duration such as 30s or 5m", v)
			}
			if d < low || d > high {
				return fmt.Errorf("must be from %s to %s, not %s", low, high, d)
			}
			*at(t) = d
			return nil
		},
	}
}

// portField takes a number, or text with a variable that holds one.
func portField[T any](name string, at func(*T) *string) field[T] {
	f := textField(name, at)
	set := f.set
	f.set = func(t *T, v scalar) error {
		switch {
		case v.kind == kindInt && (v.num < 1 || v.num > 65535):
			return fmt.Errorf("must be from 1 to 65535, not %d", v.num)
		case v.kind == kindInt:
			*at(t) = strconv.FormatInt(v.num, 10)
			return nil
		case v.kind != kindText:
			return wrongType("a port", v)
		}
		return set(t, v)
	}
	return f
}

// passwordField takes text as it stands, the empty one too. Its errors show
// nothing of the value.
func passwordField() field[Connection] {
	return field[Connection]{
		name: "password",
		get: func(c *Connection) any {
			if variable().MatchString(c.given.password) || c.given.password == "" {
				return c.given.password
			}
			return hiddenSecret
		},
		set: func(c *Connection, v scalar) error {
			if v.kind != kindText {
				return errors.New("must be text: put it in quotes")
			}
			c.given.password, c.given.hasPassword = v.text, true
			return nil
		},
	}
}

// variable is a value that is one variable and nothing else.
var variable = lazyregexp.New(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// wrongType says what was wanted and what stands there.
func wrongType(want string, v scalar) error {
	switch v.kind {
	case kindText, kindInt, kindBool, kindOther:
		return fmt.Errorf("must be %s, not %s", want, shown(v.text))
	default:
		return fmt.Errorf("must be %s, not %s", want, v.kind)
	}
}

// The kinds of a scalar. The words stand in error messages.
const (
	kindText    = "text"
	kindInt     = "a number"
	kindBool    = "true or false"
	kindNothing = "nothing"
	kindList    = "a list"
	kindMapping = "a mapping"
	kindOther   = "another kind of value"
)

// names lists the fields' names.
func names[T any](fields []field[T]) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return list
}
