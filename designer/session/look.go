package session

import (
	"context"
	"errors"
	"time"

	"github.com/berth-dev/berth/designer"
)

// Marker is a source that can cheaply report whether its database may have
// changed: an unchanged mark means that it has not.
type Marker interface {
	Mark(ctx context.Context) (string, error)
}

// Effort is how much a check of the database may cost.
type Effort int

// The efforts, from the cheapest.
const (
	// Poll compares marks and reads if they differ, within its share of the
	// time. It is for callers that ask every few seconds.
	Poll Effort = iota
	// Compare compares marks, and reads if they differ.
	Compare
	// Read reads the schema whatever the mark says.
	Read
)

// Limits on looking. Each comparison and each reading is followed by a pause of
// a multiple of its own duration: together they take at most 1/50 of the time,
// however large the schema is. Only a comparison that took longer than a
// quarter of a second is repeated sooner, because then the machine is busy and
// the caller still needs to know.
const (
	pollEvery  = 2 * time.Second
	pollLeast  = 25 * time.Second
	wholeEvery = time.Minute // a mark may miss what its dialect does not note
	pauseTimes = 100
	wholePause = 10               // likewise after a reading that somebody asked for
	retryAfter = 10 * time.Second // for a Compare, of a database that could not be read
)

// DatabaseState is what is known about the database, and since when.
type DatabaseState struct {
	ReadAt time.Time // when the schema was last read; zero: not in this run
	SeenAt time.Time // when the database was last known to be as it was read
	Err    error     // why it could not be looked at since; nil: it could
}

// lookState is a design's [DatabaseState] with the data that the next look needs.
type lookState struct {
	DatabaseState
	mark     string
	marked   bool          // mark is that of what was read
	lookedAt time.Time     // when the last look ended
	looking  time.Duration // how long the last comparison took
	reading  time.Duration // how long the last reading took
}

// DatabaseState returns what is known of the database.
func (d *Designer) DatabaseState() DatabaseState {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.sight.DatabaseState
}

// CheckDatabase checks whether the database has changed since it was read and, if so,
// updates the design as [Designer.Refresh] does. Only one look runs at a time;
// other callers wait for it. None runs while a plan is being published. The
// error says why the database could not be read; it is also in the DatabaseState.
func (d *Designer) CheckDatabase(ctx context.Context, src Source, care Effort) (DatabaseState, error) {
	select {
	case d.looks <- struct{}{}:
		defer func() { <-d.looks }()
	case <-ctx.Done():
		return d.DatabaseState(), ctx.Err()
	}
	if !d.busy.Load() && d.lookDue(src, care) {
		if err := d.look(ctx, src, care); err != nil {
			return d.DatabaseState(), err
		}
	}
	return d.DatabaseState(), nil
}

// lookDue reports whether it is time to look again.
func (d *Designer) lookDue(src Source, care Effort) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	since := d.m.opts.Now().Sub(d.sight.lookedAt)
	_, marks := src.(Marker)
	switch {
	case d.sight.lookedAt.IsZero():
		return true
	case care == Read:
		return since >= wholePause*d.sight.reading
	case care == Compare:
		return marks && (d.sight.Err == nil || since >= retryAfter)
	case !marks:
		return since >= max(wholeEvery, pauseTimes*d.sight.reading)
	}
	return since >= max(pollEvery, min(pollLeast, pauseTimes*d.sight.looking))
}

func (d *Designer) look(ctx context.Context, src Source, care Effort) error {
	if care != Read && !d.compare(ctx, src, care) {
		return nil
	}
	_, err := d.Refresh(ctx, src)
	return err
}

// compare reports whether the database must be read: its mark differs from the
// one at the last reading, or there is none. A Poll also reads occasionally
// in case the mark missed a change, and only when it is due.
func (d *Designer) compare(ctx context.Context, src Source, care Effort) (changed bool) {
	now := d.m.opts.Now
	began := now()
	mark, marked := markOf(ctx, src)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sight.lookedAt = now()
	d.sight.looking = d.sight.lookedAt.Sub(began)
	same := marked && d.sight.marked && mark == d.sight.mark
	if same {
		d.sight.SeenAt, d.sight.Err, d.readErr = began, nil, nil
	}
	if care == Compare {
		return !same
	}
	pause := pauseTimes * d.sight.reading
	if same {
		pause = max(wholeEvery, pause)
	}
	return began.Sub(d.sight.ReadAt) >= pause
}

// markOf returns the mark; ok is false if there is none. A server without a
// mark is read instead.
func markOf(ctx context.Context, src Source) (mark string, ok bool) {
	marker, ok := src.(Marker)
	if !ok {
		return "", false
	}
	mark, err := marker.Mark(ctx)
	return mark, err == nil
}

// read reads the database, with the mark that it had before: what changes
// while it is read has another one. [Designer.saw] notes the sight once what
// was read is taken over.
func (d *Designer) read(ctx context.Context, src Source) (designer.Definition, lookState, error) {
	def, seen, err := d.m.read(ctx, src)
	if err != nil {
		d.recordSight(seen)
	}
	return def, seen, err
}

func (m *Manager) read(ctx context.Context, src Source) (designer.Definition, lookState, error) {
	began := m.opts.Now()
	var seen lookState
	seen.mark, seen.marked = markOf(ctx, src)
	def, err := src.Read(ctx)
	seen.lookedAt = m.opts.Now()
	seen.reading = seen.lookedAt.Sub(began)
	if err == nil {
		seen.ReadAt, seen.SeenAt = began, began
	} else if !errors.Is(err, context.Canceled) { // the caller has gone, which says nothing about the database
		seen.Err = err
	}
	return def, seen, err
}

// recordSight records the result of a reading. It ignores a failed reading and
// one made while a plan was being published, whose result does not last.
func (d *Designer) recordSight(seen lookState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if seen.ReadAt.IsZero() {
		d.sight.lookedAt, d.sight.reading = seen.lookedAt, seen.reading
		if seen.Err != nil {
			d.sight.Err = seen.Err
		}
		return
	}
	if d.making || seen.ReadAt.Before(d.sight.ReadAt) {
		return
	}
	seen.looking = d.sight.looking
	d.sight, d.readErr = seen, nil
}
