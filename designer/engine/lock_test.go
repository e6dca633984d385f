package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer/engine"
)

func TestAnAttemptIsRepeatedOnlyForALock(t *testing.T) {
	locked, other := errors.New("locked"), errors.New("other")
	isLocked := func(err error) bool { return errors.Is(err, locked) }
	for _, c := range []struct {
		name    string
		answers []error         // of the attempts; the last one is given for ever
		takes   time.Duration   // each attempt
		worked  []time.Duration // what each is told
		want    error
		after   time.Duration
	}{
		{"made at once", []error{nil}, time.Second, []time.Duration{0}, nil, time.Second},
		{"refused", []error{other}, time.Second, []time.Duration{0}, other, time.Second},
		{"made at the third", []error{locked, locked, nil}, time.Second, []time.Duration{0, 0, 0}, nil, 7 * time.Second},
		{"locked, then refused", []error{locked, other}, time.Second, []time.Duration{0, 0}, other, 4 * time.Second},
		{"never made", []error{locked}, time.Second, make([]time.Duration, engine.LockAttempts), locked, 43 * time.Second},
		{"long work is tried twice", []error{locked}, time.Minute, []time.Duration{0, 59 * time.Second}, locked, 122 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var worked []time.Duration
				began := time.Now()
				err := engine.PastLocks(t.Context(), isLocked, func(w time.Duration) error {
					worked = append(worked, w)
					time.Sleep(c.takes)
					return c.answers[min(len(worked), len(c.answers))-1]
				})
				assert.ErrorIs(t, err, c.want)
				assert.Equal(t, c.worked, worked)
				assert.Equal(t, c.after, time.Since(began))
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		n := 0
		err := engine.PastLocks(ctx, isLocked, func(time.Duration) error { n++; time.Sleep(time.Second); return locked })
		assert.Equal(t, locked, err, "a caller that gives up is not kept")
		assert.Equal(t, 2, n)
	})
}
