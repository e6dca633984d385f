package designer

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// TypePlan says how the named types of one state become those of another,
// before anything is made of tables. An enum that loses a value, or whose
// values change their order, is set aside under another name while a new one
// takes its place; its columns then change from the one to the other as from
// any type to another.
type TypePlan struct {
	Steps    []TypeStep
	Before   *Schema      // the state to start from with tables, once the steps have been made
	Drop     []*NamedType // what goes when no column has it any more, as it is called then
	Replaced []*NamedType // of the state before, those that a new one takes the place of
	Notes    []string
}

// TypeStep is one step of a [TypePlan].
type TypeStep struct {
	Do       TypeStepKind
	Was, Is  *NamedType // before and after the step; Was is nil where it makes one
	Value    string     // that is renamed or added
	NewValue string     // of a value that is renamed
	Behind   *string    // the value after which one is added
	Ahead    *string    // or that before which it is; both nil: it is the only one
	Replaces *NamedType // of a type that is made in place of another; nil: of none
}

// TypeStepKind says what a [TypeStep] does.
type TypeStepKind int

// The kinds.
const (
	RenameType TypeStepKind = iota
	MoveType                // to another schema
	RenameValue
	AddValue
	SetDomain // all that Was and Is do not have alike
	CreateType
	CommentOnType
)

// typePlanner makes a [TypePlan].
type typePlanner struct {
	TypePlan
	d      *Diff
	now    map[ID]*NamedType // the types as they are after the steps so far
	wanted map[ID]*NamedType // of now, those that stay, as they are in the end
	again  map[ID]string     // those replaced that only get values, with one that is used at once
}

// PlanTypes plans what differs in named types; nil: nothing does. No plan adds
// a value to an enum and uses it, which a transaction may not: where SQL text
// of a table does, the enum is made again with the value.
func (d *Diff) PlanTypes() (*TypePlan, error) {
	if len(d.Types) == 0 {
		return nil, nil
	}
	again := map[ID]string{}
	for {
		p := &typePlanner{d: d, again: again, now: map[ID]*NamedType{}, wanted: map[ID]*NamedType{}}
		if err := p.make(); err != nil {
			return nil, err
		}
		t, value := p.usedAtOnce()
		if t == nil {
			p.noteAgain()
			return &p.TypePlan, nil
		}
		again[t.ID] = value
	}
}

func (p *typePlanner) make() error {
	for _, t := range p.d.From.NamedTypes() {
		p.now[t.ID] = t
	}
	p.setAside()
	p.rename()
	p.values()
	p.create()
	return p.midway()
}

// noteAgain says why types are made again that only get values.
func (p *typePlanner) noteAgain() {
	for _, t := range p.Replaced {
		if value := p.again[t.ID]; value != "" {
			p.Notes = append(p.Notes, "Type "+t.TypeName().String()+" is made again, and the tables that have it are rewritten, because its new value "+
				p.d.To.dialect.StringLiteral(value)+" is used at once: publish the value first to avoid that.")
		}
	}
}

// setAside gives the types that go another name where theirs is needed.
func (p *typePlanner) setAside() {
	for _, td := range p.d.Types {
		switch {
		case td.From == nil:
		case td.To == nil:
			old := td.From
			if p.isNeeded(old.TypeName()) {
				old = p.moveAside(old)
			}
			p.Drop = append(p.Drop, old)
		case !td.From.GrowsTo(td.To), p.again[td.From.ID] != "":
			p.Replaced = append(p.Replaced, td.From)
			old := p.moveAside(td.From)
			delete(p.now, td.From.ID)
			old = p.renameValues(old, td.To)
			delete(p.now, td.From.ID)
			old = old.Clone()
			old.ID = asideID(td.From)
			p.now[old.ID] = old
			p.Drop = append(p.Drop, old)
		default:
			p.wanted[td.From.ID] = td.To
		}
	}
}

// asideID is the id of a type while another one takes its place.
func asideID(t *NamedType) ID { return "old " + t.ID }

// isNeeded reports whether there is something else of that name in the end.
func (p *typePlanner) isNeeded(name TableName) bool {
	return len(p.d.To.TypesNamed(name))+len(p.d.To.Named(name)) > 0
}

// moveAside gives a type a temporary name.
func (p *typePlanner) moveAside(t *NamedType) *NamedType {
	stem := t.Name
	for limit := p.d.To.dialect.nameLimit() - 12; p.d.To.dialect.nameLength(stem) > limit; {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	for n := 1; ; n++ {
		name := stem + "_old" + strconv.Itoa(n)
		if !p.taken(t.Schema, name) && !p.isNeeded(TableName{t.Schema, name}) {
			return p.renameTo(t, t.Schema, name)
		}
	}
}

// taken reports whether a type or table has the name now.
func (p *typePlanner) taken(schema, name string) bool {
	for _, t := range p.now {
		if t.Schema == schema && t.Name == name {
			return true
		}
	}
	return slices.ContainsFunc(p.d.From.Named(TableName{schema, name}), func(t *Table) bool { return t.Name == name })
}

// renameTo gives a type another name, or another schema, in one step.
func (p *typePlanner) renameTo(t *NamedType, schema, name string) *NamedType {
	next := t.Clone()
	next.Schema, next.Name = schema, name
	do := RenameType
	if schema != t.Schema {
		do = MoveType
	}
	p.step(TypeStep{Do: do, Was: t, Is: next})
	return next
}

// step adds a step and notes what the type is after it.
func (p *typePlanner) step(s TypeStep) {
	p.Steps = append(p.Steps, s)
	p.now[s.Is.ID] = s.Is
}

// rename brings the types that stay to their names. Where they wait for one
// another in a circle, one has a temporary name in between.
func (p *typePlanner) rename() {
	for {
		moved, waiting := false, []*NamedType(nil)
		for _, td := range p.d.Types {
			if td.From == nil || p.wanted[td.From.ID] == nil {
				continue
			}
			want := p.wanted[td.From.ID]
			switch t := p.now[td.From.ID]; {
			case t.Schema == want.Schema && t.Name == want.Name:
			case t.Name != want.Name && !p.taken(t.Schema, want.Name):
				p.renameTo(t, t.Schema, want.Name)
				moved = true
			case t.Schema != want.Schema && !p.taken(want.Schema, t.Name):
				p.renameTo(t, want.Schema, t.Name)
				moved = true
			default:
				waiting = append(waiting, t)
			}
		}
		if !moved && len(waiting) == 0 {
			return
		}
		if !moved {
			p.moveAside(waiting[0])
		}
	}
}

// create makes the types that are new and those that take the place of others.
func (p *typePlanner) create() {
	for _, td := range p.d.Types {
		if td.To == nil || td.From != nil && p.wanted[td.To.ID] != nil {
			continue
		}
		p.step(TypeStep{Do: CreateType, Is: td.To, Replaces: td.From})
		if td.To.Comment != "" {
			p.step(TypeStep{Do: CommentOnType, Was: &NamedType{}, Is: td.To})
		}
	}
}

// midway is the state after the steps: its tables have the types under the
// names of then, and its views, which are put back at the end, under those of
// the end.
func (p *typePlanner) midway() (err error) {
	from := p.d.From
	var then, names []*NamedType
	for _, t := range p.now {
		then = append(then, t)
		if from.NamedType(t.ID) != nil && !slices.ContainsFunc(p.Replaced, func(r *NamedType) bool { return r.ID == t.ID }) {
			names = append(names, t)
		}
	}
	for _, t := range p.Replaced {
		old := p.now[asideID(t)].Clone()
		old.ID = t.ID
		names = append(names, old)
	}
	tables, follow := from.Tables(), from.Following(names)
	for i, t := range tables {
		tables[i] = follow.Table(t)
	}
	opts := from.Options()
	opts.Catalog.Types = then
	end := from.Following(p.d.To.NamedTypes())
	for i, v := range opts.Catalog.Views {
		opts.Catalog.Views[i].Definition = end.Text(v.Definition)
	}
	p.Before, err = Restore(from.Dialect(), tables, opts)
	return err
}
