package mssql

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// renaming is one name that becomes another, within a place where names have
// to differ.
type renaming struct{ from, to string }

// orderRenames puts renamings into an order in which each new name is free
// when its turn comes. Where there is none, as for two that swap their names,
// and where only the case of a name changes, one goes by a temporary name.
func orderRenames(pending []renaming) []renaming {
	pending = append([]renaming(nil), pending...)
	var order []renaming
	taken := map[string]bool{}
	for _, r := range pending {
		taken[designer.Fold(r.from)], taken[designer.Fold(r.to)] = true, true
	}
	for len(pending) > 0 {
		i := freeRenaming(pending)
		if i >= 0 {
			order = append(order, pending[i])
			pending = append(pending[:i], pending[i+1:]...)
			continue
		}
		parked := temporaryName(func(name string) bool { return taken[designer.Fold(name)] })
		taken[designer.Fold(parked)] = true
		order = append(order, renaming{pending[0].from, parked})
		pending[0].from = parked
	}
	return order
}

// freeRenaming finds one whose new name nothing has, -1 if there is none.
func freeRenaming(pending []renaming) int {
	for i, r := range pending {
		free := true
		for _, other := range pending {
			free = free && designer.Fold(other.from) != designer.Fold(r.to)
		}
		if free {
			return i
		}
	}
	return -1
}

// temporaryName is a name that is not taken.
func temporaryName(taken func(string) bool) string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("berth_tmp_%d", n); !taken(name) {
			return name
		}
	}
}

// renameStep writes an sp_rename. what is the quoted path of the object, kind
// one of OBJECT, COLUMN and INDEX; the new name is not quoted.
func renameStep(what, name, kind string) string {
	return fmt.Sprintf("EXEC sys.sp_rename @objname = %s, @newname = %s, @objtype = '%s'", literal(what), literal(name), kind)
}
