package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// publish brings the database to the design, with everything that has to hold
// on the way. refusal is the server's own reason, or the dialect's where it
// has no way there; the database is then as it was.
func (b *bench) publish(design *designer.Schema) (plan designer.Plan, refusal error) {
	b.t.Helper()
	diff := designer.DiffOf(b.base, design)
	plan, err := b.Engine.Plan(diff)
	if err != nil {
		var none *designer.PlanError
		require.ErrorAs(b.t, err, &none)
		require.NotEmpty(b.t, none.Message)
		return plan, err
	}
	require.Equal(b.t, diff.Empty(), len(plan.Steps) == 0, "a plan for nothing, or none for something:\n%s", describe(b.t, diff))
	if err := b.verify(plan); err != nil {
		return plan, err
	}
	before := b.rows(b.base)
	err = b.apply(plan)
	require.NoError(b.t, err, "verified, yet publishing failed:\n%s", plan.Script())
	b.settle(design, plan)
	b.keepsRows(before, diff, plan)
	return plan, nil
}

// verify tries the plan and sees that nothing lasts of it.
func (b *bench) verify(plan designer.Plan) (refusal error) {
	b.t.Helper()
	before := b.base.Definition()
	begun, done := 0, 0
	refusal = b.Engine.Verify(context.Background(), b.db, plan, func(step int, made bool) error {
		if made {
			done++
		} else {
			require.Equal(b.t, begun, step, "steps are reported in order")
			begun++
		}
		return nil
	})
	if refusal == nil {
		require.Equal(b.t, []int{len(plan.Steps), len(plan.Steps)}, []int{begun, done}, "every step is reported")
	}
	require.Empty(b.t, differences(b.t, before, b.build(b.t, b.read()).Definition()),
		"verifying changed the database (%v):\n%s", refusal, plan.Script())
	if refusal != nil {
		var step *designer.StepError
		require.ErrorAs(b.t, refusal, &step, "%s", plan.Script())
		require.Error(b.t, step.Err)
		require.NotErrorIs(b.t, refusal, context.DeadlineExceeded)
		require.Zero(b.t, step.Applied, "verifying applies nothing")
	}
	return refusal
}

// settle reads the database after the plan, takes it for the base and sees
// that it is the design.
func (b *bench) settle(design *designer.Schema, plan designer.Plan) {
	b.t.Helper()
	def := b.read()
	reread, err := design.Adopt(def)
	require.NoError(b.t, err)
	next := designer.TakeSpelling(b.base, design, reread)
	require.NoError(b.t, next.Check())
	require.Equal(b.t, typesIn(design), typesIn(reread), "types\n%s", plan.Script())
	require.Empty(b.t, describe(b.t, designer.DiffOf(next, reread)), "published is not the design:\n%s", plan.Script())
	require.Equal(b.t, reread.Version(), next.Version())
	require.Equal(b.t, reread.Version(), b.build(b.t, def).Version(), "the version depends on the ids")
	b.keepsCatalog(design, reread, plan)
	b.base = reread
}

// keepsCatalog sees that what is carried survived: triggers, routines, types
// and views by name, and word for word where no table they may mean changed.
func (b *bench) keepsCatalog(design, reread *designer.Schema, plan designer.Plan) {
	b.t.Helper()
	for _, table := range design.Tables() {
		require.Equal(b.t, table.Triggers, reread.ByID(table.ID).Triggers,
			"triggers of table %s\n%s", table.Name, plan.Script())
	}
	touched := b.touched(design)
	views := func(s *designer.Schema) (list []designer.View) {
		for _, v := range s.Views() {
			if mentionsAny(v.Definition, touched) {
				v = designer.View{Schema: v.Schema, Name: v.Name}
			}
			list = append(list, v)
		}
		return list
	}
	require.Empty(b.t, differences(b.t, views(b.base), views(reread)), "views\n%s", plan.Script())
	objects := func(s *designer.Schema) (list []designer.Object) {
		for _, o := range s.Catalog().Objects { // without the types that edits make
			if b.gone(o, design) || o.Kind == designer.ObjectSequence && o.Table != "" {
				continue // a sequence that a column owns comes and goes with it
			}
			if slices.Contains(touched, designer.Fold(o.Table)) || mentionsAny(o.Definition, touched) {
				o = designer.Object{Kind: o.Kind, Name: o.Name}
			}
			list = append(list, o)
		}
		return list
	}
	require.Empty(b.t, differences(b.t, objects(b.base), objects(reread)), "objects\n%s", plan.Script())
}

// touched lists the folded names, before and after, of the tables that differ
// between base and design, and of columns that have another name: the function
// of a trigger may name a column and no table.
func (b *bench) touched(design *designer.Schema) []string {
	var names []string
	d := designer.DiffOf(b.base, design)
	for _, list := range [][]*designer.Table{d.Dropped, d.Added} {
		for _, t := range list {
			names = append(names, designer.Fold(t.Name))
		}
	}
	for _, c := range d.Changed {
		names = append(names, designer.Fold(c.From.Name), designer.Fold(c.To.Name))
		for _, column := range c.Columns {
			if column.Renamed {
				names = append(names, designer.Fold(column.From.Name), designer.Fold(column.To.Name))
			}
		}
	}
	for _, t := range d.Types {
		if t.From != nil {
			names = append(names, designer.Fold(t.From.Name))
		}
		if t.To != nil {
			names = append(names, designer.Fold(t.To.Name))
		}
	}
	return names
}

// typesIn lists the named types of a schema in words.
func typesIn(s *designer.Schema) (list []string) {
	for _, t := range s.NamedTypes() {
		list = append(list, fmt.Sprintf("%s.%s %s %q %q domain %t", t.Schema, t.Name, t.Kind, t.ValueNames(), t.Comment, t.Domain != nil))
	}
	return list
}

// gone reports whether an object of the base went with its table.
func (b *bench) gone(o designer.Object, design *designer.Schema) bool {
	if o.Table == "" {
		return false
	}
	table, err := b.base.Table(designer.TableRef{Schema: o.Schema, Name: o.Table})
	return err == nil && design.ByID(table.ID) == nil
}

// reason is the innermost text of a refusal, for the log.
func reason(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}

// apply makes a plan from its first step on.
func (b *bench) apply(plan designer.Plan) error {
	ctx, cancel := patiently()
	defer cancel()
	return b.Engine.Publish(ctx, b.db, plan, 0, nil)
}
