package session

import (
	"context"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
)

// AcceptSteps accepts what steps changed, as the last of them left it: what the
// agent has changed since, in the same things too, waits for a person still. It
// returns how often anything was accepted; 0 where the steps changed nothing or
// are no longer there.
func (d *Designer) AcceptSteps(ctx context.Context, steps []int64) (int64, error) {
	if err := d.load(); err != nil {
		return 0, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	keys, err := d.keysOfStepsLocked(ctx, steps)
	if err != nil || len(keys) == 0 { // without keys, all would be accepted
		return 0, err
	}
	return d.acceptLocked(ctx, slices.Max(steps), keys)
}

// keysOfStepsLocked returns what steps changed.
func (d *Designer) keysOfStepsLocked(ctx context.Context, steps []int64) (keys []review.Key, err error) {
	rows, refusal, err := d.stepsFrom(steps)
	if err != nil || refusal != nil {
		return nil, err
	}
	past := pastTables{d.schema, map[designer.ID]*designer.Table{}}
	for _, row := range slices.Backward(rows) {
		c, err := decodeChange(row.change, past, true)
		if err != nil {
			return nil, damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		for _, tc := range c.Tables {
			past.over[tc.ID()] = tc.Before
		}
		if slices.Contains(steps, row.seq) {
			keys = append(keys, review.KeysOf(c)...)
		}
	}
	return keys, ctx.Err()
}
