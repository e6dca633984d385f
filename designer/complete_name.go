package designer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The names that an edit leaves to us.

func (s *Schema) nameForeignKey(draft *Table, k *ForeignKey) {
	if k.Name != "" {
		return
	}
	target := s.reference(*k).Table
	k.Name = s.dialect.freeName("FK_"+draft.Name+"_"+target, func(name string) bool {
		return s.taken(foreignKeyName, draft, foreignKeyNames(draft, ""), name)
	})
}

func (s *Schema) newIndexName(draft *Table, x *Index) string {
	prefix := "IX_"
	if x.Constraint {
		prefix = "UQ_"
	}
	names := draft.ColumnNames()
	var parts []string
	for _, p := range x.Parts {
		if p.Column != "" {
			parts = append(parts, names[p.Column])
		}
	}
	return s.freeIndexName(draft, prefix+strings.Join(append([]string{draft.Name}, parts...), "_"))
}

func (s *Schema) freeIndexName(draft *Table, base string) string {
	return s.dialect.freeName(base, func(name string) bool {
		return s.taken(indexName, draft, indexNames(draft, ""), name)
	})
}

// newCheckName returns the first free name for a check of the table.
func (s *Schema) newCheckName(draft *Table) string {
	own := mapEach(draft.Checks, func(k Check) string { return k.Name })
	for n := 1; ; n++ {
		name := s.dialect.fit("CK_"+draft.Name, "_"+strconv.Itoa(n))
		if !s.taken(checkName, draft, own, name) {
			return name
		}
	}
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
	base = base[:min(len(base), utf8.UTFMax*d.nameLimit())] // no name is longer, whatever it counts in
	for d.nameLength(base+suffix) > d.nameLimit() && base != "" {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return strings.TrimSpace(base) + suffix
}
