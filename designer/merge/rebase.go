package merge

import (
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// Rebase brings the states of a design that undo and redo lead to over to a
// database that has changed meanwhile: as if every edit had been made on top
// of what the database is now. Give it the changes that lead away from the
// design as it is, one after the other, and take the changes that it returns
// instead.
//
// What an edit did stands, even where the database has changed the same
// thing; what it left alone is as in the database. The zero value is of no
// use, see [NewRebase].
type Rebase struct {
	merger
	state *designer.Schema // where the changes so far lead to, over the new database
	gone  *Conflict        // what the database dropped and the state being made needs
}

// NewRebase returns a Rebase for a design, here as it is joined with the
// database: after is what that has become, before what the design was made
// on. The same object has the same id in all three. joined is the Rebase's own
// from then on.
func NewRebase(before, after, joined *designer.Schema) *Rebase {
	v := &Rebase{state: joined}
	v.merger = merger{base: before, design: joined, database: after, choose: v.chose}
	return v
}

// droppedAndChanged is what of a conflict no edit can be kept in.
const droppedAndChanged = "dropped in the database, changed in the design"

// chose keeps what edits did where there still is anything to do it to.
func (v *Rebase) chose(c Conflict) Side {
	if c.What == droppedAndChanged && v.gone == nil {
		v.gone = &c
	}
	return SideDesign
}

// Change returns the change to make instead of c. The refusal says what the
// database took away, or has taken, that the state after c needs; a Rebase is
// of no use then.
func (v *Rebase) Change(c designer.Change) (designer.Change, *designer.Error) {
	moved := designer.Change{Description: c.Description, Tables: []designer.TableChange{}}
	for _, tc := range c.Types {
		one, refusal := v.namedTypeChange(c, tc)
		if refusal != nil {
			return designer.Change{}, refusal
		}
		if one.Before == nil && one.After == nil || one.Before != nil && one.After != nil && one.Before.Equal(one.After) {
			continue
		}
		moved.Types = append(moved.Types, one)
	}
	for _, tc := range c.Tables {
		id := tc.ID()
		now := v.state.ByID(id)
		next := v.table(v.base.ByID(id), tc.After, v.database.ByID(id))
		if v.gone != nil {
			return designer.Change{}, v.gone.refusal()
		}
		if now == nil && next == nil || now != nil && next != nil && now.Equal(next) {
			continue
		}
		moved.Tables = append(moved.Tables, designer.TableChange{Before: now, After: next})
	}
	v.state.Redo(moved)
	for _, tc := range moved.Tables {
		if refusal := v.check(tc, c); refusal != nil {
			return designer.Change{}, refusal
		}
	}
	return moved, nil
}

func (c *Conflict) refusal() *designer.Error {
	what := "Table " + clip.Name(c.Table.String())
	if c.Part != "" {
		what = fmt.Sprintf("In table %s, %s", clip.Name(c.Table.String()), c.Part)
	}
	return rejected("%s was dropped in the database", what)
}

// check verifies what rebasing a table, changed by of, can break: names that
// the database has given to something else, and references.
func (v *Rebase) check(tc designer.TableChange, of designer.Change) *designer.Error {
	for _, from := range v.state.Incoming(tc.ID()) {
		if refusal := v.checkReferences(from); refusal != nil {
			return refusal
		}
	}
	t := tc.After
	if t == nil {
		return nil
	}
	if refusal := v.checkReferences(t); refusal != nil {
		return refusal
	}
	if refusal := v.checkTypes(t); refusal != nil {
		return refusal
	}
	kept := tc.Before != nil && v.state.SameName(tc.Before.TableName(), t.TableName())
	if !kept && len(v.state.Named(t.TableName())) > 1 {
		return rejected("The database has another table %s", quoted(t))
	}
	if refusal := checkTwins(t, after(of, t.ID), v.database.ByID(t.ID)); refusal != nil {
		return refusal
	}
	return v.checkNames(t)
}

// after returns what the change makes of a table; nil: nothing.
func after(c designer.Change, id designer.ID) *designer.Table {
	for _, tc := range c.Tables {
		if tc.ID() == id {
			return tc.After
		}
	}
	return nil
}

// checkTwins refuses two parts of t of one name, ignoring case, unless one of
// the others has both.
func checkTwins(t *designer.Table, others ...*designer.Table) *designer.Error {
	taken := map[string]designer.ID{}
	for id, name := range partNames(t) {
		twin, found := taken[name]
		both := func(o *designer.Table) bool {
			if o == nil {
				return false
			}
			names := partNames(o)
			return names[id] == name && names[twin] == name
		}
		if found && !slices.ContainsFunc(others, both) {
			return rejected("Table %s has another %s in the database", quoted(t), clip.Name(name))
		}
		taken[name] = id
	}
	return nil
}

// checkReferences verifies that what keys and indexes of t name is there.
func (v *Rebase) checkReferences(t *designer.Table) *designer.Error {
	for _, k := range t.ForeignKeys {
		target := v.state.ByID(k.RefTable)
		for _, m := range k.Mappings {
			if t.ColumnByID(m.Column) == nil {
				return v.missing(t, "foreign key "+k.Name, t.ID, m.Column)
			}
			if k.Dangling == nil && (target == nil || target.ColumnByID(m.RefColumn) == nil) {
				return v.missing(t, "foreign key "+k.Name, k.RefTable, m.RefColumn)
			}
		}
	}
	for _, x := range t.Indexes {
		for _, id := range slices.Concat(each(x.Parts, func(p designer.IndexKey) designer.ID { return p.Column }), x.Include) {
			if id != "" && t.ColumnByID(id) == nil {
				return v.missing(t, "index "+x.Name, t.ID, id)
			}
		}
	}
	if k := t.PrimaryKey; k != nil {
		for _, id := range k.Columns {
			if t.ColumnByID(id) == nil {
				return v.missing(t, "primary key", t.ID, id)
			}
		}
	}
	return nil
}

// missing says that a part of t needs a column that would not be there.
func (v *Rebase) missing(t *designer.Table, part string, table, column designer.ID) *designer.Error {
	for _, s := range []*designer.Schema{v.base, v.database} {
		if of := s.ByID(table); of != nil {
			if c := of.ColumnByID(column); c != nil {
				return rejected("In table %s, %s needs column %s of table %s", quoted(t), clip.Name(part), clip.Quote(c.Name), quoted(of))
			}
		}
	}
	return rejected("In table %s, %s needs a column that the database does not have", quoted(t), clip.Name(part))
}

// checkNames looks for names that have to be unique beyond their table.
func (v *Rebase) checkNames(t *designer.Table) *designer.Error {
	if taken := v.state.Contested(v.database, t); len(taken) > 0 {
		return rejected("In table %s, the name %s is taken in the database", quoted(t), clip.Quote(clip.Name(taken[0])))
	}
	return nil
}

// quoted is a table's name in quotes.
func quoted(t *designer.Table) string { return "'" + t.TableName().String() + "'" }

// rejected returns a refusal of these words.
func rejected(format string, args ...any) *designer.Error {
	return &designer.Error{Reason: designer.ValidationError, Message: fmt.Sprintf(format, args...)}
}
