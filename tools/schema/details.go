package schema

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

type foreignKeyView struct {
	ID              designer.ID            `json:"id,omitempty"`
	Name            string                 `json:"name"`
	ReferencedTable designer.TableRef      `json:"referencedTable"`
	Mappings        []designer.NameMapping `json:"mappings"`
	OnDelete        designer.Action        `json:"onDeleteAction"`
	OnDeleteCode    *int                   `json:"onDeleteActionCode,omitempty"`
	OnUpdate        designer.Action        `json:"onUpdateAction"`
	OnUpdateCode    *int                   `json:"onUpdateActionCode,omitempty"`
	Deferrable      designer.Deferral      `json:"deferrable,omitempty"`
}

type indexView struct {
	ID         designer.ID `json:"id,omitempty"`
	Name       string      `json:"name"`
	Unique     bool        `json:"unique,omitempty"`
	Constraint bool        `json:"constraint,omitempty"`
	Columns    []indexPart `json:"columns"`
	Where      string      `json:"where,omitempty"`
}

type indexPart struct {
	Name       string `json:"name,omitempty"`
	Expression string `json:"expression,omitempty"`
	Descending bool   `json:"descending,omitempty"`
	Collation  string `json:"collation,omitempty"`
}

type checkView struct {
	ID         designer.ID `json:"id,omitempty"`
	Name       string      `json:"name"`
	Expression string      `json:"expression"`
}

// addForeignKeys adds the keys that fit; get_relationships pages the others.
func (v *tableView) addForeignKeys(s *designer.Schema, t *designer.Table, ids bool, left *room) {
	v.ForeignKeys = fillWith(left, t.ForeignKeys, func(k designer.ForeignKey) any { return keyOf(s, t, k, ids) })
	v.ForeignKeyCount = v.short(len(v.ForeignKeys), len(t.ForeignKeys))
}

// addDetails adds what only the full view has: the ids, and the indexes,
// checks and triggers that fit.
func (v *tableView) addDetails(s *designer.Schema, t *designer.Table, left *room) {
	v.ID, v.Comment = t.ID, clipTo(t.Comment, maxText)
	left.take(len(encode(v.Comment)))
	if k := t.PrimaryKey; k != nil && left.take(len(encode(primaryKey(t)))) {
		v.PrimaryKey = primaryKey(t)
	}
	v.addOptions(t.Options, left)
	v.Indexes = fillWith(left, t.Indexes, func(x designer.Index) any { return indexOf(t, x) })
	v.IndexCount = v.short(len(v.Indexes), len(t.Indexes))
	v.Checks = fillWith(left, t.Checks, func(c designer.Check) any {
		return checkView{ID: c.ID, Name: clipTo(c.Name, maxName), Expression: clipTo(c.Expression, maxText)}
	})
	v.CheckCount = v.short(len(v.Checks), len(t.Checks))
	v.Triggers = fillWith(left, t.Triggers, func(name string) any { return clipTo(name, maxName) })
	v.short(len(v.Triggers), len(t.Triggers))
}

func (v *tableView) addOptions(options map[string]string, left *room) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		key, value := clipTo(name, maxName), clipTo(options[name], maxName)
		if !left.take(len(encode(key)) + len(encode(value)) + 1) {
			v.Truncated = true
			return
		}
		if v.Options == nil {
			v.Options = map[string]string{}
		}
		v.Options[key] = value
	}
}

// short notes that only kept of all are there, and returns all where some
// are missing, else 0.
func (v *tableView) short(kept, all int) int {
	if kept == all {
		return 0
	}
	v.Truncated = true
	return all
}

func keyOf(s *designer.Schema, t *designer.Table, k designer.ForeignKey, ids bool) foreignKeyView {
	v := foreignKeyView{Name: clipTo(k.Name, maxName), OnDelete: k.OnDelete, OnDeleteCode: codeOf(k.OnDelete),
		OnUpdate: k.OnUpdate, OnUpdateCode: codeOf(k.OnUpdate), Deferrable: k.Deferrable}
	if ids {
		v.ID = k.ID
	}
	v.ReferencedTable, v.Mappings = endOf(s, t, k)
	return v
}

// codeOf is the shipped tool's number of an action, nil where it has none.
func codeOf(a designer.Action) *int {
	if code := a.Code(); code >= 0 {
		return &code
	}
	return nil
}

// endOf names what a foreign key points at, and how.
func endOf(s *designer.Schema, t *designer.Table, k designer.ForeignKey) (designer.TableRef, []designer.NameMapping) {
	to := s.ByID(k.RefTable)
	var ref designer.TableRef
	if to != nil {
		ref = designer.TableRef{Schema: clipTo(to.Schema, maxName), Name: clipTo(to.Name, maxName)}
	} else if k.Dangling != nil {
		ref = designer.TableRef{Schema: clipTo(k.Dangling.Schema, maxName), Name: clipTo(k.Dangling.Table, maxName)}
	}
	mappings := make([]designer.NameMapping, len(k.Mappings))
	for i, m := range k.Mappings {
		mappings[i].Column = nameOf(t, m.Column)
		switch {
		case to != nil:
			mappings[i].ReferencedColumn = nameOf(to, m.RefColumn)
		case k.Dangling != nil && i < len(k.Dangling.Columns):
			mappings[i].ReferencedColumn = clipTo(k.Dangling.Columns[i], maxName)
		}
	}
	return ref, mappings
}

func primaryKey(t *designer.Table) *keyView {
	v := &keyView{Name: clipTo(t.PrimaryKey.Name, maxName), Columns: []string{}}
	for _, id := range t.PrimaryKey.Columns {
		v.Columns = append(v.Columns, nameOf(t, id))
	}
	return v
}

func indexOf(t *designer.Table, x designer.Index) indexView {
	v := indexView{ID: x.ID, Name: clipTo(x.Name, maxName), Unique: x.Unique, Constraint: x.Constraint,
		Columns: []indexPart{}, Where: clipTo(x.Where, maxText)}
	for _, p := range x.Parts {
		part := indexPart{Expression: clipTo(p.Expression, maxText), Descending: p.Descending, Collation: clipTo(p.Collation, maxName)}
		if p.Column != "" {
			part.Name = nameOf(t, p.Column)
		}
		v.Columns = append(v.Columns, part)
	}
	return v
}

// nameOf is the name of a column of t.
func nameOf(t *designer.Table, id designer.ID) string {
	c, refused := t.Column(designer.ObjectRef{ID: id})
	if refused != nil {
		return ""
	}
	return clipTo(c.Name, maxName)
}
