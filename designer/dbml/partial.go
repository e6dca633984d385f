package dbml

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// expand inserts partials where tables name them. A table's own column takes
// precedence over a partial's of the same name, and a later partial's over an
// earlier one's.
func (f *file) expand() error {
	partials := map[string]*table{}
	for _, t := range f.partials {
		if partials[t.name.String()] != nil {
			return &Error{Line: t.line, Message: fmt.Sprintf("TablePartial %q is declared twice", excerpt(t.name.String()))}
		}
		for _, i := range t.items {
			if i.column == nil {
				return &Error{Line: i.line, Message: "a partial within a partial is not known: put it into the table"}
			}
		}
		partials[t.name.String()] = t
	}
	parts := 0
	for _, t := range f.tables {
		if err := t.expand(partials); err != nil {
			return err
		}
		if len(t.items) > maxTableColumns {
			return &Error{Line: t.line, Message: fmt.Sprintf("a table has more than %d columns", maxTableColumns)}
		}
		if parts += t.parts(); parts > maxParts {
			return &Error{Line: t.line, Message: fmt.Sprintf("the tables have more than %d columns, keys and checks together", maxParts)}
		}
	}
	return nil
}

// parts counts what a table has.
func (t *table) parts() int {
	n := len(t.items) + len(t.checks)
	for _, x := range t.indexes {
		n += len(x.parts)
	}
	return n
}

// expand puts the partials that t names into it.
func (t *table) expand(partials map[string]*table) error {
	own, last := map[string]bool{}, map[string]string{}
	for _, i := range t.items {
		if i.column != nil {
			own[designer.Fold(i.column.name)] = true
			continue
		}
		part := partials[i.partial]
		if part == nil {
			return &Error{Line: i.line, Message: fmt.Sprintf("there is no TablePartial %q", excerpt(i.partial))}
		}
		for _, c := range part.items {
			last[designer.Fold(c.column.name)] = i.partial
		}
	}
	items := make([]item, 0, len(t.items))
	put := map[string]bool{}
	for _, i := range t.items {
		if i.column != nil {
			items = append(items, i)
			continue
		}
		if put[i.partial] {
			continue
		}
		put[i.partial] = true
		part := partials[i.partial]
		for _, c := range part.items {
			if key := designer.Fold(c.column.name); !own[key] && last[key] == i.partial {
				items = append(items, c)
			}
		}
		t.inherit(part)
	}
	t.items = items
	return nil
}

// inherit takes over what a partial has beside columns, as far as the table
// has nothing in its place.
func (t *table) inherit(part *table) {
	if t.note == "" {
		t.note = part.note
	}
	has := map[string]bool{}
	for _, x := range t.indexes {
		has[x.key()] = true
	}
	for _, x := range part.indexes {
		if !has[x.key()] {
			t.indexes = append(t.indexes, x)
		}
	}
	t.checks = append(t.checks, part.checks...)
}

// key returns a key that distinguishes the indexes of one table.
func (x index) key() string {
	var b strings.Builder
	for _, p := range x.parts {
		b.WriteString(designer.Fold(p.column) + "\x00" + p.formula + "\x00")
	}
	return b.String()
}
