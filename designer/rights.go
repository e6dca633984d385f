package designer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Rights are who owns the objects of a database and who may use them. A
// script does not have them unless it is asked for them: another server has
// other roles.
type Rights struct {
	Objects []Ownership
	// Defaults counts rules for objects that are made later; no script has
	// them.
	Defaults int
}

// Ownership is whose one object is, and who may use it.
type Ownership struct {
	Object string   // as SQL names it: "TABLE public.users"
	Owner  string   // "": that of what it belongs to
	Own    string   // the statement that makes it the owner's; "" where Owner is
	Grants []string // statements that give everybody the rights that they have; none where nobody granted or revoked any
	// Close takes the rights from everybody that the server gives everybody on
	// a new object, where the object's are fewer. "": they are not.
	Close string
}

// Statements give the objects that a script has made their owners and rights.
func (r Rights) Statements() []string {
	var list []string
	for _, o := range r.Objects {
		if o.Own != "" {
			list = append(list, o.Own)
		}
	}
	for _, o := range r.Objects {
		list = append(list, o.Grants...)
	}
	return list
}

// Closing lists what a script without rights says of them nevertheless, so
// that nobody may use more of a copy than of the original.
func (r Rights) Closing() []string {
	var list []string
	for _, o := range r.Objects {
		if o.Close != "" {
			list = append(list, o.Close)
		}
	}
	return list
}

// LeftOut says, with numbers, what a script without rights does not have.
func (r Rights) LeftOut() []string {
	owners := map[string]int{}
	var granted, closed Omission
	for _, o := range r.Objects {
		if o.Owner != "" {
			owners[o.Owner]++
		}
		if len(o.Grants) > 0 {
			granted.Names = append(granted.Names, o.Object)
		}
		if o.Close != "" {
			closed.Names = append(closed.Names, o.Object)
		}
	}
	var notes []string
	if len(owners) > 0 {
		var parts []string
		for _, name := range slices.SortedFunc(maps.Keys(owners), func(a, b string) int { return cmp.Or(owners[b]-owners[a], cmp.Compare(a, b)) }) {
			parts = append(parts, fmt.Sprintf("%d of %s", owners[name], name))
		}
		notes = append(notes, "Owners and GRANTs are left out, options.owners (--owners) writes them. Whoever runs the script owns what it makes: "+listed(parts)+".")
	}
	if n := len(granted.Names); n > 0 {
		notes = append(notes, fmt.Sprintf("Rights were granted or revoked on %d: %s.", n, listed(granted.Names)))
	}
	if n := len(closed.Names); n > 0 {
		notes = append(notes, fmt.Sprintf("What everybody may use elsewhere and not here is closed in the script too, %d: %s.", n, listed(closed.Names)))
	}
	return append(notes, r.Unsaid()...)
}

// Unsaid says what a script does not have even with rights.
func (r Rights) Unsaid() []string {
	if r.Defaults == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Default privileges are left out: %d.", r.Defaults)}
}

// listed names the first of many.
func listed(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
