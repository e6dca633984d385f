package designer

import "fmt"

// AdoptHalfway reads a database that was on its way from base to s and did
// not get there whole: what it has under a name of s has the id it has there,
// the rest that of base. A rename that was made stays one, and so does what
// was not. Both schemas must have their ids from one source.
func (s *Schema) AdoptHalfway(base *Schema, def Definition) (*Schema, error) {
	now, err := s.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	same := map[ID]ID{}
	for _, t := range now.Tables() {
		was := base.ByID(t.ID)
		if s.ByID(t.ID) == nil {
			if ids := base.names[base.keyOf(t.Schema, t.Name)]; len(ids) == 1 && now.ByID(ids[0]) == nil {
				was = base.ByID(ids[0])
				same[t.ID] = was.ID
			}
		}
		if was != nil {
			oldParts(same, was, s.ByID(t.ID), t)
		}
	}
	return now.renumber(same)
}

// oldParts enters the parts of now that aim, which may be nil, does not have
// and base has by name.
func oldParts(same map[ID]ID, base, aim, now *Table) {
	has := now.partNames()
	known := map[ID]string{}
	if aim != nil {
		known = aim.partNames()
	}
	before := map[string]ID{}
	for id, name := range base.partNames() {
		if _, taken := has[id]; !taken {
			before[name] = id
		}
	}
	for id, name := range has {
		if _, planned := known[id]; planned {
			continue
		}
		if old, ok := before[name]; ok {
			same[id] = old
		}
	}
}
