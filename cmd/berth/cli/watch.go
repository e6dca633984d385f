package cli

import (
	"context"
	"reflect"
	"time"
)

// When berth ls --watch looks again at instances while the map stays as it
// is: soon after a change, since a port is claimed a moment before its
// instance answers, and now and then, since a crash does not change the map.
const (
	relookSoon = 250 * time.Millisecond
	relook     = 2 * time.Second
)

// watch shows the projects now and after every change, until ctx ends.
func (l *link) watch(ctx context.Context, show func([]project) error) error {
	changes, err := l.store.Watch(ctx)
	if err != nil {
		return err
	}
	again := time.NewTimer(relook)
	defer again.Stop()
	var entries map[string]int
	var shown []project
	for {
		next := relook
		select {
		case now, ok := <-changes:
			if !ok {
				return nil
			}
			entries, next = now, relookSoon
		case <-again.C:
		case <-ctx.Done():
			return nil
		}
		again.Reset(next)
		list := l.look(ctx, entries)
		if ctx.Err() != nil {
			return nil
		}
		if shown != nil && reflect.DeepEqual(list, shown) {
			continue
		}
		if err := show(list); err != nil {
			return err
		}
		shown = list
	}
}
