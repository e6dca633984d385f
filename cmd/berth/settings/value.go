package settings

import (
	"strconv"
	"strings"
	"time"
)

// Level says how specific a file is.
type Level string

// The levels, most specific first.
const (
	LevelProject   Level = "project"
	LevelWorkspace Level = "workspace"
	LevelGlobal    Level = "global"
	LevelDefault   Level = "default" // no file sets it
)

// Value is one setting in force and where it comes from.
type Value struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // bool, int or string
	Level Level  `json:"level"`
	File  string `json:"file,omitempty"` // empty: the default
	Line  int    `json:"line,omitempty"`
}

// origin is where a value was read.
type origin struct {
	level Level
	file  string
	line  int
}

// Values lists every setting in force, connections last. A connection's
// address is shown as the file spells it, variables not expanded and a
// password masked.
func (s *Settings) Values() []Value {
	var list []Value
	for _, f := range fields() {
		list = append(list, s.value(f.name, f.get(s), s.origins[f.name]))
	}
	list = append(list, s.storeValues()...)
	list = append(list, s.hostValues()...)
	list = append(list, s.teamValues()...)
	for i := range s.Connections {
		list = append(list, s.connectionValues(&s.Connections[i])...)
	}
	return list
}

func (s *Settings) connectionValues(c *Connection) []Value {
	prefix := keyConnections + "." + c.Name + "."
	var list []Value
	for _, f := range connectionFields() {
		v := f.get(c)
		if v == "" { // of the keys of an address a file sets some
			continue
		}
		switch f.name {
		case "url":
			v = c.Given()
		case "passwordCommand": // its arguments may be secret
			v, _, _ = strings.Cut(c.given.passwordCommand, " ")
		}
		list = append(list, s.value(prefix+f.name, v, s.origins[prefix+f.name]))
	}
	for _, q := range c.given.params {
		key := prefix + keyParams + "." + q.name
		list = append(list, s.value(key, masked(q.name + "=" + q.value)[len(q.name)+1:], s.origins[key]))
	}
	return list
}

func (s *Settings) value(key string, v any, o origin) Value {
	if o.level == "" {
		o.level = LevelDefault
	}
	if d, ok := v.(time.Duration); ok {
		v = d.String()
	}
	return Value{Key: key, Value: v, Level: o.level, File: o.file, Line: o.line}
}

// Place is the file and line of a value, or "default".
func (v Value) Place() string {
	if v.File == "" {
		return string(LevelDefault)
	}
	return v.File + ":" + strconv.Itoa(v.Line)
}

// Sets reports whether a file sets a key, spelled as [Settings.Values] spells
// it; otherwise its value is the default.
func (s *Settings) Sets(key string) bool {
	_, ok := s.origins[key]
	return ok
}
