package designer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

// checkName verifies that an identifier can be one; kind starts the message.
func (d *Dialect) checkName(kind, name string) *Error {
	switch {
	case strings.TrimSpace(name) == "":
		return invalid("%s name is empty: give one", kind)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return invalid("%s name %s holds characters no name may have", kind, clip.Quote(name))
	case strings.TrimSpace(name) != name:
		return invalid("%s name %s starts or ends with a space: remove it", kind, clip.Quote(name))
	}
	if err := d.checkPlane(kind+" name "+clip.Quote(name), name); err != nil {
		return err
	}
	if limit := d.nameLimit(); d.nameLength(name) > limit {
		unit := "characters"
		if d.Names.InBytes || d.Names.MaxLength == 0 {
			unit = "bytes"
		}
		return invalid("%s name %s is too long: at most %d %s", kind, clip.Quote(name), limit, unit)
	}
	return nil
}

// checkPlane verifies that the catalogue can keep a text; what names it in the
// message.
func (d *Dialect) checkPlane(what, text string) *Error {
	if beyond := strings.IndexFunc(text, isBeyondPlane); d.Names.BasicPlane && beyond >= 0 {
		r, _ := utf8.DecodeRuneInString(text[beyond:])
		return invalid("%s has the character %c (U+%X), which %s cannot keep there: use characters up to U+FFFF", what, r, r, d.Title)
	}
	return nil
}

func isBeyondPlane(r rune) bool { return r > 0xffff }

// checkPrefix verifies that the name of a table or an index is not one the
// database keeps for itself.
func (d *Dialect) checkPrefix(kind, name string) *Error {
	for _, p := range d.Names.ReservedPrefixes {
		if len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) {
			return invalid("%s name %s begins with %s, which %s keeps for itself: choose another", kind, clip.Quote(name), clip.Quote(p), d.Title)
		}
	}
	return nil
}

// checkNewTableName verifies what the name of a table alone has to fulfil.
func (s *Schema) checkNewTableName(name string) *Error {
	if err := s.dialect.checkName("Table", name); err != nil {
		return err
	}
	if err := s.dialect.checkPrefix("Table", name); err != nil {
		return err
	}
	return s.checkDotted(name)
}

// checkDotted refuses a table name that holds the schema too: a table of that
// very name is hardly ever meant.
func (s *Schema) checkDotted(name string) *Error {
	if schema, rest, ok := s.dotted(name); ok {
		return invalid("Table name %s holds the schema: give schema %s and name %s apart", clip.Quote(name), clip.Quote(schema), clip.Quote(rest))
	}
	return nil
}

// CheckTableName verifies that a table other than self may be called so.
func (s *Schema) CheckTableName(schema, name string, self *Table) *Error {
	key := s.keyOf(schema, name)
	for _, id := range s.names[key] {
		if self == nil || id != self.ID {
			return invalid("Table %s already exists", s.entries[id].table.quoted())
		}
	}
	if s.viewKeys[key] {
		return invalid("Table '%s' cannot be named so: a view has that name", fullName(schema, name))
	}
	if all := s.TypesNamed(TableName{schema, name}); len(all) > 0 {
		return invalid("Table '%s' cannot be named so: a type has that name", fullName(schema, name))
	}
	if s.dialect.Names.SchemaWideIndexes && s.objects[objectKey{indexName, key.schema, key.name}] > 0 {
		return invalid("Table '%s' cannot be named so: an index has that name", fullName(schema, name))
	}
	return nil
}

// checkSchema verifies that a table may be put into the schema.
func (r rules) checkSchema(q schemaRequest) *Error {
	if q.known {
		return nil
	}
	if fixed := r.s.dialect.Schemas.Fixed; fixed || !q.make {
		h := &Hints{AllowedSchemas: Nearest(q.name, r.s.Schemas())}
		if !fixed {
			h.NewSchema = "createSchema true beside op makes a schema that there is not yet"
		}
		return &Error{Reason: ValidationError, Message: "Schema " + clip.Quote(q.name) + " not available", Hints: h}
	}
	return r.s.dialect.checkName("Schema", q.name)
}
