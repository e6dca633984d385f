package merge

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// AdoptHalfway reads a database that was on its way from base to s and did
// not get there whole: what it has under a name of s has the id it has there,
// the rest that of base. A rename that was made stays one, and so does what
// was not. Both schemas must have their ids from one source.
func AdoptHalfway(s, base *designer.Schema, def designer.Definition) (*designer.Schema, error) {
	now, err := s.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	same := map[designer.ID]designer.ID{}
	for _, t := range now.Tables() {
		was := base.ByID(t.ID)
		if s.ByID(t.ID) == nil {
			if all := base.Named(t.TableName()); len(all) == 1 && now.ByID(all[0].ID) == nil {
				was = all[0]
				same[t.ID] = was.ID
			}
		}
		if was != nil {
			oldParts(same, was, s.ByID(t.ID), t)
		}
	}
	types, changed := halfwayTypes(s, base, now)
	return renumber(now, same, types, changed)
}

// oldParts enters the parts of now that aim, which may be nil, does not have
// and base has by name.
func oldParts(same map[designer.ID]designer.ID, base, aim, now *designer.Table) {
	has := partNames(now)
	known := map[designer.ID]string{}
	if aim != nil {
		known = partNames(aim)
	}
	before := map[string]designer.ID{}
	for id, name := range partNames(base) {
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
