package session

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/merge"
	"github.com/berth-dev/berth/designer/review"
)

// TakeBack selects which of the agent's changes are to be taken back.
type TakeBack struct {
	Keys            []review.Key
	ExpectedVersion string // the version the caller last saw; "": any
	Origin          string
	Hint            *designer.Target
}

// TakeBack takes the agent's changes in what the keys select out of the design,
// as one step that can be undone. What a person has changed since stays. It is
// refused where something else builds on them.
func (d *Designer) TakeBack(ctx context.Context, t TakeBack) (Outcome, error) {
	return d.run(ctx, request{
		event: Committed, origin: t.Origin, expected: t.ExpectedVersion, hint: t.Hint,
		play: func(s *designer.Schema, p *playResult) error {
			c, refusal, err := d.takeBackLocked(s, t.Keys)
			if err != nil || refusal != nil {
				p.refusal = refusal
				return err
			}
			p.changes, p.applied, p.record, p.batch = []designer.Change{c}, 1, true, d.m.opts.NewBatch()
			return nil
		},
	})
}

// takeBackLocked makes of s what it is without the selected changes.
func (d *Designer) takeBackLocked(s *designer.Schema, keys []review.Key) (c designer.Change, refusal *designer.Error, err error) {
	net, _, err := d.netLocked(background)
	if err != nil {
		return c, nil, err
	}
	selected, some := net.Select(s, keys)
	if !some {
		return c, nothingLeft(), nil
	}
	tables, types := net.Before(s, selected), net.TypesBefore(s, selected)
	now, err := d.copyOf(s)
	if err != nil {
		return c, nil, err
	}
	before, err := d.without(s, tables, types)
	if err != nil {
		return c, &designer.Error{Reason: designer.ValidationError,
			Message: "What came later builds on this: " + clip.Name(err.Error())}, nil
	}
	if refusal := checkTypes(s, before); refusal != nil {
		return c, refusal, nil
	}
	change := s.ChangeTo(before)
	if change.Empty() {
		return c, nothingLeft(), nil
	}
	c, _, refusal = merge.Revert(s, before, now) // s is now: there can be no conflict
	c.Description = "Take back " + takenBackWords(change)
	return c, refusal, nil
}

func nothingLeft() *designer.Error {
	return &designer.Error{Reason: designer.ValidationError,
		Message: "None of this is the agent's to take back any more: it was accepted, or changed since"}
}

// without returns a copy of s in which tables are others (nil: gone) and types
// are all that there are.
func (d *Designer) without(s *designer.Schema, tables map[designer.ID]*designer.Table, types []*designer.NamedType) (*designer.Schema, error) {
	renamed := s.Following(types)
	var list []*designer.Table
	for _, t := range s.Tables() {
		if _, ok := tables[t.ID]; !ok {
			list = append(list, renamed.Table(t))
		}
	}
	for _, t := range tables {
		if t != nil {
			list = append(list, renamed.Table(t))
		}
	}
	catalog := s.Catalog()
	catalog.Types = types
	return designer.Restore(s.Dialect(), list, &designer.Options{NewID: d.m.opts.NewID, DefaultSchema: s.DefaultSchema(), Catalog: catalog})
}

// checkTypes refuses to leave a column without its type, and two types under
// one name.
func checkTypes(s, before *designer.Schema) *designer.Error {
	if len(s.NamedTypes())+len(before.NamedTypes()) == 0 {
		return nil
	}
	for _, t := range before.NamedTypes() {
		if len(before.TypesNamed(t.TypeName())) > 1 {
			return &designer.Error{Reason: designer.ValidationError,
				Message: fmt.Sprintf("There is another type %s now: rename or drop that first", clip.Quote(t.Name))}
		}
	}
	for _, t := range before.Tables() {
		for _, c := range t.Columns {
			if of := s.TypeOf(c); of != nil && before.TypeOf(c) == nil {
				return &designer.Error{Reason: designer.ValidationError,
					Message: fmt.Sprintf("Column %s of %s has the type %s: give it another type first", clip.Quote(c.Name), clip.Name(t.TableName().String()), clip.Quote(of.Name))}
			}
		}
	}
	return nil
}

// takenBackWords says where a change takes something back.
func takenBackWords(c designer.Change) string {
	switch tables, types := len(c.Tables), len(c.Types); {
	case tables > 1:
		return fmt.Sprintf("what the agent changed in %d tables", tables)
	case tables == 1 && c.Tables[0].After == nil:
		return "the agent's " + clip.Name(c.Tables[0].Before.TableName().String())
	case tables == 1:
		return "what the agent changed in " + clip.Name(c.Tables[0].After.TableName().String())
	case types > 1:
		return fmt.Sprintf("what the agent changed in %d types", types)
	case types == 1 && c.Types[0].After == nil:
		return "the agent's type " + clip.Name(c.Types[0].Before.Name)
	}
	return "what the agent changed in type " + clip.Name(c.Types[0].After.Name)
}
