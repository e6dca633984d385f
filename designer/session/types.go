package session

import (
	"encoding/json"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// typesDocument is the name of the document that stores the named types of a
// design. Those of its base are in the catalog.
const typesDocument = "types"

// saveTypes stores the types of a design; nil: they stay.
func (w *writer) saveTypes(e *entry) error {
	if e.types == nil {
		return nil
	}
	body, err := encode(e.types)
	if err != nil {
		return err
	}
	return w.exec(upsertDocument, e.row.id, typesDocument, 1, body)
}

// types reads the named types of a design; nil: it has those of its base.
func (r reader) types(path string, design int64) (list []*designer.NamedType, err error) {
	body, _, err := r.document(design, typesDocument)
	if err != nil || body == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		return nil, damaged(path, "types: %w", err)
	}
	return list, nil
}

// noteTypes stores the types of s where p has changed any, or adopted a
// database whose types may be others.
func (e *entry) noteTypes(s *designer.Schema, p *playResult) {
	changed := slices.ContainsFunc(p.changes, func(c designer.Change) bool { return len(c.Types) > 0 })
	if changed || p.next != nil || p.base != nil {
		e.types = s.NamedTypes()
	}
}
