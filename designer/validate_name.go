package designer

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds, in bytes, the names of dialects that have no limit.
const maxName = 1024

// checkName verifies that an identifier can be one; kind starts the message.
func (d *Dialect) checkName(kind, name string) *Error {
	switch {
	case strings.TrimSpace(name) == "":
		return invalid("%s name is empty: give one", kind)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return invalid("%s name %s holds characters no name may have", kind, quote(name))
	case strings.TrimSpace(name) != name:
		return invalid("%s name %s starts or ends with a space: remove it", kind, quote(name))
	}
	if limit := d.nameLimit(); d.nameLength(name) > limit {
		unit := "characters"
		if d.LengthInBytes || d.MaxNameLength == 0 {
			unit = "bytes"
		}
		return invalid("%s name %s is too long: at most %d %s", kind, quote(name), limit, unit)
	}
	return nil
}

// checkPrefix verifies that the name of a table or an index is not one the
// database keeps for itself.
func (d *Dialect) checkPrefix(kind, name string) *Error {
	for _, p := range d.ReservedPrefixes {
		if len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) {
			return invalid("%s name %s begins with %s, which %s keeps for itself: choose another", kind, quote(name), quote(p), d.Title)
		}
	}
	return nil
}

// checkNewTableName verifies that a table may get the name, as far as the name
// alone tells.
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
		return invalid("Table name %s holds the schema: give schema %s and name %s apart", quote(name), quote(schema), quote(rest))
	}
	return nil
}

// dotted splits "dbo.Orders" where dbo is a schema that is known.
func (s *Schema) dotted(name string) (schema, rest string, ok bool) {
	schema, rest, ok = strings.Cut(name, ".")
	if !ok || rest == "" {
		return "", "", false
	}
	known := slices.ContainsFunc(s.Schemas(), func(n string) bool { return strings.EqualFold(n, schema) })
	return schema, rest, known
}

func (d *Dialect) nameLimit() int {
	if d.MaxNameLength == 0 {
		return maxName
	}
	return d.MaxNameLength
}

func (d *Dialect) nameLength(name string) int {
	if d.LengthInBytes || d.MaxNameLength == 0 {
		return len(name)
	}
	return utf8.RuneCountInString(name)
}

// freeName returns base, or base with the first number from 2 that makes it
// free, cut to the dialect's length.
func (d *Dialect) freeName(base string, taken func(string) bool) string {
	name := d.fit(base, "")
	for n := 2; taken(name); n++ {
		name = d.fit(base, "_"+strconv.Itoa(n))
	}
	return name
}

// fit cuts base so that it fits with the suffix after it.
func (d *Dialect) fit(base, suffix string) string {
	for d.nameLength(base+suffix) > d.nameLimit() && base != "" {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return strings.TrimSpace(base) + suffix
}

// checkTableName verifies that a table other than self may be called so.
func (s *Schema) checkTableName(schema, name string, self *Table) *Error {
	key := s.keyOf(schema, name)
	for _, id := range s.names[key] {
		if self == nil || id != self.ID {
			return invalid("Table %s already exists", s.entries[id].table.quoted())
		}
	}
	if s.viewKeys[key] {
		return invalid("Table '%s' cannot be named so: a view has that name", fullName(schema, name))
	}
	if s.dialect.SchemaWideIndexNames && s.objects[objectKey{indexName, key.schema, key.name}] > 0 {
		return invalid("Table '%s' cannot be named so: an index has that name", fullName(schema, name))
	}
	return nil
}

// checkSchemaName verifies that a table may be put into the schema and
// returns its name as the database spells it.
func (s *Schema) checkSchemaName(schema string) (string, *Error) {
	if schema == "" {
		return s.defaultSchema, nil
	}
	if name, ok := s.knownSchema(schema); ok {
		return name, nil
	}
	if s.dialect.FixedSchemas {
		return "", &Error{Reason: ValidationError, Message: "Schema " + quote(schema) + " not available",
			Hints: &Hints{AllowedSchemas: Nearest(schema, s.Schemas())}}
	}
	return schema, s.dialect.checkName("Schema", schema)
}

// knownSchema finds a schema by its exact name, else without regard to case.
func (s *Schema) knownSchema(name string) (string, bool) {
	if slices.Contains(s.schemas, name) {
		return name, true
	}
	u, used := s.inUse[Fold(name)]
	if used && u.name == name {
		return name, true
	}
	for _, n := range s.schemas {
		if strings.EqualFold(n, name) {
			return n, true
		}
	}
	return u.name, used
}

// taken reports whether an object other than those of self uses the name in
// the scope that the dialect gives it.
func (s *Schema) taken(kind objectKind, self *Table, own []string, name string) bool {
	inTable := 0
	for _, n := range own {
		if strings.EqualFold(n, name) {
			inTable++
		}
	}
	if inTable > 0 {
		return true
	}
	key := objectKey{kind, Fold(self.Schema), Fold(name)}
	switch kind {
	case indexName:
		if !s.dialect.SchemaWideIndexNames {
			return false
		}
		if place := (nameKey{key.schema, key.name}); len(s.names[place]) > 0 || s.viewKeys[place] {
			return true
		}
	case checkName:
		if !s.dialect.SchemaWideCheckNames {
			return false
		}
	}
	return s.objects[key] > s.ownCount(self.ID, key)
}

// ownCount tells how often the committed form of a table uses the name.
func (s *Schema) ownCount(id ID, key objectKey) int {
	t := s.ByID(id)
	if t == nil {
		return 0
	}
	n := 0
	for _, k := range objectNames(t) {
		if k == key {
			n++
		}
	}
	return n
}
