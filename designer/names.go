package designer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxName bounds, in bytes, the names of dialects that have no limit.
const maxName = 1024

func (d *Dialect) nameLimit() int {
	if d.Names.MaxLength == 0 {
		return maxName
	}
	return d.Names.MaxLength
}

func (d *Dialect) nameLength(name string) int {
	if d.Names.InBytes || d.Names.MaxLength == 0 {
		return len(name)
	}
	return utf8.RuneCountInString(name)
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
	for _, e := range s.named {
		if !used && strings.EqualFold(e.t.Schema, name) {
			return e.t.Schema, true
		}
	}
	return u.name, used
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
		if !s.dialect.Names.SchemaWideIndexes {
			return false
		}
		if place := (nameKey{key.schema, key.name}); len(s.names[place]) > 0 || s.viewKeys[place] {
			return true
		}
	case checkName:
		if !s.dialect.Names.SchemaWideChecks {
			return false
		}
	}
	return s.objects[key] > s.ownCount(self.ID, key)
}

// ownCount counts how often the committed form of a table uses the name.
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

// indexNames lists the names of the table's indexes but the one given.
func indexNames(t *Table, but ID) []string {
	var names []string
	for _, x := range t.Indexes {
		if x.ID != but && x.Name != "" {
			names = append(names, x.Name)
		}
	}
	return names
}

// foreignKeyNames lists the names of the table's keys but the one given.
func foreignKeyNames(t *Table, but ID) []string {
	var names []string
	for _, k := range t.ForeignKeys {
		if k.ID != but && k.Name != "" {
			names = append(names, k.Name)
		}
	}
	return names
}
