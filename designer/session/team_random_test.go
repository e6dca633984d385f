package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/long"
)

// randomEdit makes an edit from few enough names that it often fits and often
// does not.
func randomEdit(dice *rand.Rand) designer.Edit {
	name := func(what string, n int) string { return fmt.Sprint(what, dice.IntN(n)) }
	switch dice.IntN(6) {
	case 0:
		return addTable(name("T", 5))
	case 1:
		return dropTable(name("T", 5))
	case 2:
		return renameTable(name("T", 5), name("T", 5))
	case 3:
		return dropColumn(name("T", 5), name("c", 4))
	}
	return addColumn(name("T", 5), name("c", 4))
}

// act is one random thing that a person does; refusals are part of it.
func (m *mate) act(dice *rand.Rand) error {
	ctx := context.Background()
	d := m.d
	var err error
	switch dice.IntN(12) {
	case 0, 1:
		_, err = d.Undo(ctx, Steps{Count: 1 + dice.IntN(3), Origin: "page"})
	case 2:
		_, err = d.Redo(ctx, Steps{Count: 1 + dice.IntN(2), Batch: dice.IntN(2) == 0, Origin: "page"})
	case 3:
		def := designer.Definition{Tables: []designer.TableDefinition{table(fmt.Sprint("T", dice.IntN(5)), "i1", "i2")}}
		_, err = d.Import(ctx, Import{Definition: def, Origin: "page", Description: "Import"})
	case 4:
		d.mu.RLock()
		at := d.row.steps
		d.mu.RUnlock()
		if at.done() > 0 {
			_, _, err = d.Revert(ctx, Revert{Steps: []int64{at.first + dice.Int64N(at.top-at.first+1)}, Origin: "page"})
		}
	default:
		edits := []designer.Edit{randomEdit(dice)}
		for dice.IntN(3) == 0 {
			edits = append(edits, randomEdit(dice))
		}
		_, err = d.Apply(ctx, Batch{Edits: edits, ExpectedVersion: d.Version(), Atomic: dice.IntN(2) == 0, Origin: "agent"})
	}
	return err
}

// spoil has something go wrong on the way to the broker, now and then.
func (m *mate) spoil(dice *rand.Rand) {
	if dice.IntN(12) != 0 {
		return
	}
	fate := func() error { return nil }
	switch dice.IntN(3) {
	case 0: // it was committed, and the answer got lost
		fate = unknown
	case 1:
		fate = func() error {
			return &journal.UnreachableError{Journal: "shop", Reach: m.link.Reach()}
		}
	case 2:
		fate = func() error { return &journal.RefusedError{Journal: "shop", Reason: "full"} }
	}
	m.link.faults.Lock()
	m.link.fate = fate
	m.link.faults.Unlock()
}

// Three people edit, undo, redo, import and revert at once, their answers get
// lost, their instances restart: the replicas stay one. Ben's clock is an hour
// ahead, and cas's is set again and again, up to ninety days back or ahead.
func TestReplicasStayOneUnderRandomEdits(t *testing.T) {
	for round := range long.Rounds(4, 60) {
		dice := long.Dice(t)
		for range round { // another one each round
			dice = rand.New(rand.NewPCG(dice.Uint64(), 1))
		}
		b, mates := found(t, "ann", "ben", "cas")
		mates[1].off.Store(3600)
		for range 3 {
			mates[2].off.Store(dice.Int64N(180*24*3600) - 90*24*3600)
			var people sync.WaitGroup
			for _, m := range mates {
				own := rand.New(rand.NewPCG(dice.Uint64(), 2))
				people.Go(func() {
					for range 40 {
						m.spoil(own)
						if err := m.act(own); err != nil {
							t.Errorf("%s: %v", m.name, err)
						}
					}
				})
			}
			people.Wait()
			m := mates[dice.IntN(len(mates))]
			m.reopen()
			m.link.cut(false)
		}
		for _, m := range mates {
			m.link.take()
			require.Eventually(t, func() bool { return m.d.Shared().Unknown == "" }, patience, 1e6)
		}
		settled(t, b, mates...)
		if round == 0 {
			t.Logf("%d entries, %d steps", len(b.entries), mates[0].d.row.steps.top)
		}
		for _, m := range mates[1:] { // one's own is taken back, or refused with a reason
			for m.d.Info().UndoSteps > 0 && m.undo(Steps{}).Err == nil {
			}
		}
		settled(t, b, mates...)
		for _, m := range mates {
			require.NoError(t, m.Close())
			m.open()
		}
	}
}
