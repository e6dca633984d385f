package cli

import (
	"context"
	"reflect"
	"time"
)

// relook is how often berth ls --watch looks again at instances while the
// map stays as it is: a crash does not change the map.
const relook = 2 * time.Second

// watch shows the projects now and after every change, until ctx ends.
func (l *link) watch(ctx context.Context, show func([]project) error) error {
	changes, err := l.store.Watch(ctx)
	if err != nil {
		return err
	}
	tick := time.NewTicker(relook)
	defer tick.Stop()
	var entries map[string]int
	var shown []project
	for {
		select {
		case now, ok := <-changes:
			if !ok {
				return nil
			}
			entries = now
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
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
