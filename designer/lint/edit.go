package lint

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
)

// Edit is an edit in the words in which apply_edits takes it. Which members it
// has follows from Op.
type Edit struct {
	Op         designer.Op        `json:"op"`
	Table      designer.TableRef  `json:"table,omitzero"`
	Column     *Ref               `json:"column,omitempty"`
	ForeignKey any                `json:"foreignKey,omitempty"`
	Index      any                `json:"index,omitempty"`
	Type       *designer.TableRef `json:"type,omitempty"`
	Set        map[string]any     `json:"set,omitempty"`
}

// Ref names a part of a table.
type Ref struct {
	Name string      `json:"name,omitempty"`
	ID   designer.ID `json:"id,omitempty"`
}

// newIndex is the index of an add_index; the designer names it.
type newIndex struct {
	Columns []string `json:"columns"`
}

// newKey is the foreign key of an add_foreign_key; the zero actions are left to
// the designer, as is an empty name.
type newKey struct {
	Name            string                 `json:"name,omitempty"`
	ReferencedTable designer.TableRef      `json:"referencedTable"`
	Mappings        []designer.NameMapping `json:"mappings"`
	OnDeleteAction  *designer.Action       `json:"onDeleteAction,omitempty"`
	OnUpdateAction  *designer.Action       `json:"onUpdateAction,omitempty"`
}

// Prove takes from the findings the edits that the design would refuse, so that
// what is offered can be done. s is a copy of the caller's own: the edits are
// tried on it one finding after the other, and taken back.
func Prove(s *designer.Schema, findings []Finding) {
	for i := range findings {
		if f := &findings[i]; len(f.Edits) > 0 && !takes(s, f.Edits) {
			f.Edits = nil
		}
	}
}

func takes(s *designer.Schema, list []Edit) bool {
	raw, err := json.Marshal(list)
	if err != nil {
		return false
	}
	wanted, unread := edits.Decode(raw)
	if unread != nil {
		return false
	}
	var done []designer.Change
	ok := true
	for _, e := range wanted {
		c, refused := s.Apply(e)
		if ok = refused == nil; !ok {
			break
		}
		done = append(done, c)
	}
	for i := len(done) - 1; i >= 0; i-- {
		s.Undo(done[i])
	}
	return ok
}
