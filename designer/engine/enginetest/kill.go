package enginetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/e2e/long"
)

// killed are edits whose plan has steps of every sort.
const killed = `{"op":"set_table","table":{"name":"notes"},"set":{"name":"remarks"}},
	{"op":"add_column","table":{"name":"remarks"},"column":{"name":"order_id","dataType":"<int32>"}},
	{"op":"add_foreign_key","table":{"name":"remarks"},"foreignKey":{"name":"remarks_order_fk","referencedTable":{"name":"orders"},
		"mappings":[{"column":"order_id","referencedColumn":"id"}],"onDeleteAction":"cascade"}},
	{"op":"set_column","table":{"name":"products"},"column":{"name":"weight"},"set":{"name":"grams","dataType":"<int64>"}},
	{"op":"drop_column","table":{"name":"customers"},"column":{"name":"visits"}},
	{"op":"set_column","table":{"name":"customers"},"column":{"name":"city"},"set":{"maxLength":"80"}},
	{"op":"add_table","table":{"name":"tags"},"initialColumns":[
		{"name":"id","dataType":"<int32>","isPrimaryKey":true},{"name":"product_id","dataType":"<int32>"}]},
	{"op":"add_foreign_key","table":{"name":"tags"},"foreignKey":{"name":"tags_product_fk","referencedTable":{"name":"products"},
		"mappings":[{"column":"product_id","referencedColumn":"id"}]}},
	{"op":"add_index","table":{"name":"orders"},"index":{"name":"orders_status_ix","columns":["status"]}},
	{"op":"drop_index","table":{"name":"products"},"index":{"name":"products_title_ix"}},
	{"op":"drop_table","table":{"name":"tickets"}}`

// kill tests what is left of a publish that dies.
func kill(t *testing.T, target Target) {
	b, design, plan := dying(t, target)
	require.Greater(t, len(plan.Steps), 5, "too short a plan to die in:\n%s", plan.Script())
	if plan.Transactional {
		killTransactional(t, b, design, plan)
		return
	}
	killInSteps(t, b, design, plan)
}

func dying(t *testing.T, target Target) (*bench, *designer.Schema, designer.Plan) {
	t.Helper()
	b := newShop(t, target)
	design := b.design()
	edits, err := target.decode(kind{edits: killed})
	require.NoError(t, err)
	for i, e := range edits {
		c, err := design.Apply(e)
		if err != nil {
			require.FailNow(t, "the designer refuses", "edits[%d]: %v", i, err)
		}
		if lacking := b.lacks(b.base, design); lacking != "" {
			t.Logf("left out, as the server lacks %s: %s", lacking, designer.Describe(e))
			design.Undo(c)
		}
	}
	plan, err := target.Engine.Plan(designer.DiffOf(b.base, design))
	require.NoError(t, err)
	return b, design, plan
}

// moments lists the events of a plan.
func moments(plan designer.Plan) []event {
	var all []event
	for i := range plan.Steps {
		all = append(all, event{i, false}, event{i, true})
	}
	return all
}

var errStop = errors.New("told to stop")

// stopAt is a progress that stops the publish at an event.
func stopAt(at event) func(int, bool) error {
	return func(step int, done bool) error {
		if (event{step, done}) == at {
			return errStop
		}
		return nil
	}
}

func killTransactional(t *testing.T, b *bench, design *designer.Schema, plan designer.Plan) {
	before, rows := b.base.Definition(), b.rows(b.base)
	asBefore := func(t *testing.T) {
		b := b.with(t)
		b.becomes(func() bool { return differences(t, before, b.build(t, b.read()).Definition()) == "" })
		assert.Equal(t, rows, b.rows(b.base))
	}
	for _, at := range long.Sample(t, 6, moments(plan)) {
		t.Run("stopped "+at.String(), func(t *testing.T) {
			ctx, cancel := patiently()
			defer cancel()
			err := b.Engine.Publish(ctx, b.db, plan, 0, stopAt(at))
			require.ErrorIs(t, err, errStop)
			var step *designer.StepError
			if errors.As(err, &step) {
				assert.Zero(t, step.Applied)
			}
			asBefore(t)
		})
		t.Run("killed "+at.String(), func(t *testing.T) {
			startChild(t, b, plan).killAt(at)
			asBefore(t)
		})
	}
	t.Run("killed while it ends", func(t *testing.T) {
		c := startChild(t, b, plan)
		for e, ok := c.next(); ok; e, ok = c.next() {
			c.goOn()
			if e == (event{len(plan.Steps) - 1, true}) {
				break
			}
		}
		c.kill()
		b := b.with(t)
		t.Logf("it is as before: %t", b.eitherWay(before, design))
	})
	t.Run("published after all", func(t *testing.T) {
		b := b.with(t)
		if b.build(t, b.read()).Version() == b.base.Version() {
			_, err := b.publish(design) // no lock is left behind
			require.NoError(t, err)
			return
		}
		b.settle(design, plan)
	})
}

// eitherWay waits until the database is as before or as the design, and reports
// whether it is as before.
func (b *bench) eitherWay(before designer.Definition, design *designer.Schema) (same bool) {
	b.t.Helper()
	b.becomes(func() bool {
		def := b.read()
		if differences(b.t, before, b.build(b.t, def).Definition()) == "" {
			same = true
			return true
		}
		reread, err := design.Adopt(def)
		require.NoError(b.t, err)
		return designer.DiffOf(designer.TakeSpelling(b.base, design, reread), reread).Empty()
	})
	return same
}

// becomes waits for a condition.
func (b *bench) becomes(is func() bool) {
	b.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(patience); !is(); <-again.C {
		require.True(b.t, time.Now().Before(deadline), "the database did not become what it should be")
	}
}

// killInSteps kills a publish whose steps stand for themselves: what ran is
// in force, and the rest brings the design about.
func killInSteps(t *testing.T, twin *bench, design *designer.Schema, plan designer.Plan) {
	states := []designer.Definition{twin.build(t, twin.read()).Definition()}
	rows := twin.rows(twin.base)
	diff := designer.DiffOf(twin.base, design)
	for i := range plan.Steps {
		ctx, cancel := patiently()
		err := twin.Engine.Publish(ctx, twin.db, plan, i, stopAt(event{i, true}))
		cancel()
		require.ErrorIs(t, err, errStop)
		var step *designer.StepError
		require.ErrorAs(t, err, &step)
		require.Equal(t, i+1, step.Applied, "steps in force after step %d", i+1)
		states = append(states, twin.build(t, twin.read()).Definition())
	}
	twin.settle(design, plan)
	twin.keepsRows(rows, diff, plan)
	for _, at := range long.Sample(t, 3, moments(plan)) {
		t.Run("killed "+at.String(), func(t *testing.T) {
			b, design, plan := dying(t, twin.Target)
			rows, diff, applied := b.rows(b.base), designer.DiffOf(b.base, design), at.step
			if at.done {
				applied++
			}
			startChild(t, b, plan).killAt(at)
			b.becomes(func() bool {
				return differences(t, states[applied], b.build(t, b.read()).Definition()) == ""
			})
			ctx, cancel := patiently()
			defer cancel()
			require.NoError(t, b.Engine.Publish(ctx, b.db, plan, applied, nil), "resumed at step %d", applied+1)
			b.settle(design, plan)
			b.keepsRows(rows, diff, plan)
		})
	}
}
