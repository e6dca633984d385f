package designer

import (
	"slices"

	"github.com/berth-dev/berth/designer/clip"
)

// checkNotUnique refuses to take from a column what makes it unique where
// that is not a key on it alone, or where a foreign key needs it.
func (r rules) checkNotUnique(before, after *Table, q columnRequest) *Error {
	if q.spec.IsUnique == nil || *q.spec.IsUnique || q.old == nil {
		return nil
	}
	if !before.IsUnique(q.id) {
		for _, x := range before.Indexes {
			has := slices.ContainsFunc(x.Parts, func(p IndexKey) bool { return p.Column == q.id })
			if !x.Unique || !has {
				continue
			}
			how := "only together with other columns"
			if len(x.Parts) == 1 {
				how = "only in part"
			}
			return invalid("Column %s is unique %s, by index %s: change or drop that with set_index or drop_index",
				clip.Quote(q.old.Name), how, clip.Quote(label(x.Name, x.ID))).At("isUnique")
		}
		return nil
	}
	return r.checkIndexUsers(before, after).blame("isUnique")
}
