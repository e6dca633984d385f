package team

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/presence"
)

// What a [Keeper] does about who is at its shared designs: each has its crowd.

// answer says to others that this instance is there.
func (k *Keeper) answer(d *session.Designer, name string) error {
	c := &crowd{k: k, d: d, name: name, since: time.Now().UTC(), others: map[string]other{}}
	k.mu.Lock()
	t := k.team
	k.mu.Unlock()
	if t == nil {
		return session.ErrClosed
	}
	stop, err := t.Answer(name, func() stream.Present { p, _, _ := c.own(); return p }, c.heard)
	if err != nil {
		return fmt.Errorf("say who is there: %w", err)
	}
	c.stop = stop
	k.silence(d)
	k.crowdsMu.Lock()
	k.crowds[d.ID()] = c
	k.crowdsMu.Unlock()
	c.update()
	return nil
}

func (k *Keeper) crowd(d *session.Designer) *crowd {
	k.crowdsMu.Lock()
	defer k.crowdsMu.Unlock()
	return k.crowds[d.ID()]
}

func (k *Keeper) allCrowds() (all []*crowd) {
	k.crowdsMu.Lock()
	defer k.crowdsMu.Unlock()
	for _, c := range k.crowds {
		all = append(all, c)
	}
	return all
}

// silence ends what this instance says of itself about a design.
func (k *Keeper) silence(d *session.Designer) {
	k.crowdsMu.Lock()
	c := k.crowds[d.ID()]
	delete(k.crowds, d.ID())
	k.crowdsMu.Unlock()
	if c != nil {
		c.end()
	}
}

func (k *Keeper) silenceAll() {
	for _, c := range k.allCrowds() {
		k.silence(c.d)
	}
}

// HereChanged takes note that the list of who is at this instance has changed.
func (k *Keeper) HereChanged() {
	for _, c := range k.allCrowds() {
		c.update()
	}
}

// Others returns who is at the other instances of the shared designs. With ask
// all are asked now, which takes up to a second; else it is what was heard.
func (k *Keeper) Others(ctx context.Context, ask bool) (list []presence.Entry) {
	crowds := k.allCrowds()
	if ask {
		var asking sync.WaitGroup
		for _, c := range crowds {
			asking.Go(func() { c.ask(ctx) })
		}
		asking.Wait()
	}
	for _, c := range crowds {
		list = append(list, c.entries()...)
	}
	return list
}
