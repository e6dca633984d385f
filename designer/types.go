package designer

import (
	"slices"
	"strings"
)

// Type returns what the dialect knows of a type, found by its name or an
// alias without regard to case. The type of an array is made up from that of
// its elements.
func (d *Dialect) Type(name string) (*TypeInfo, bool) {
	for i := range d.Types {
		if d.Types[i].called(name) {
			return &d.Types[i], true
		}
	}
	if !d.TypeNames.Arrays {
		return nil, false
	}
	return d.arrayType(name)
}

func (t *TypeInfo) called(name string) bool {
	return strings.EqualFold(t.Name, name) ||
		slices.ContainsFunc(t.Aliases, func(a string) bool { return strings.EqualFold(a, name) })
}

// arrayType understands type[], type[3][3] and "type array", which are all
// the same type.
func (d *Dialect) arrayType(name string) (*TypeInfo, bool) {
	element, is := strings.TrimSpace(name), false
	for strings.HasSuffix(element, "]") {
		open := strings.LastIndexByte(element, '[')
		if open < 0 || strings.Trim(element[open+1:len(element)-1], "0123456789") != "" {
			return nil, false
		}
		element, is = strings.TrimSpace(element[:open]), true
	}
	if n := len(element) - len(" array"); !is && n > 0 && strings.EqualFold(element[n:], " array") {
		element, is = element[:n], true
	}
	if !is {
		return nil, false
	}
	for i := range d.Types {
		if d.Types[i].called(element) {
			t := d.Types[i]
			t.Name, t.Family, t.Aliases, t.Identity, t.Kind = t.Name+"[]", t.Name+"[]", nil, false, ""
			return &t, true
		}
	}
	return nil, false
}

// with returns the dialect with types that a database has of its own in place
// of those of another; d itself does not change.
func (d *Dialect) with(own []TypeInfo) *Dialect {
	if d.origin != nil {
		d = d.origin
	}
	own = slices.DeleteFunc(own, func(t TypeInfo) bool {
		_, known := d.Type(t.Name)
		return known
	})
	if len(own) == 0 {
		return d
	}
	c := *d
	c.Types, c.origin = slices.Concat(d.Types, own), d
	return &c
}

// ownTypes lists the types that are among a database's objects. They are
// called by their name alone where they are in one of the common schemas,
// else by schema and name; the default schema's by both.
func ownTypes(objects []Object, common []string, defaultSchema string) []TypeInfo {
	var own []TypeInfo
	add := func(schema, name string, kind TypeKind, length Param) {
		t := TypeInfo{Name: name, Kind: kind, Length: length, Identity: kind == ""}
		if full := schema + "." + name; schema != "" {
			if t.Aliases = []string{full}; !slices.Contains(common, schema) {
				t.Name, t.Aliases = full, nil
			}
			if t.Name == full && schema == defaultSchema {
				t.Aliases = []string{name}
			}
		}
		own = append(own, t)
	}
	for _, o := range objects {
		switch {
		case o.Kind == ObjectType && len(o.Values) > 0:
			add(o.Schema, o.Name, KindEnum, NotTaken)
		case o.Kind == ObjectType:
			add(o.Schema, o.Name, "", NotTaken)
		case o.Kind == ObjectExtension:
			for _, name := range o.Values {
				add(o.Schema, name, "", Optional)
			}
		}
	}
	return own
}

// sameType reports whether two names mean one type.
func (d *Dialect) sameType(a, b string) bool {
	x, known := d.Type(a)
	y, both := d.Type(b)
	return strings.EqualFold(a, b) || known && both && x.Name == y.Name
}
