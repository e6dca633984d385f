package session

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestOfEditsFromOneVersionExactlyOneIsMade(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("T")))
	version := d.Version()
	var made, stale atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			out, err := d.Apply(context.Background(), Batch{ExpectedVersion: version,
				Edits: []designer.Edit{addColumn("T", fmt.Sprint("c", i))}})
			if !assert.NoError(t, err) {
				return
			}
			if out.Err == nil {
				made.Add(1)
			} else if assert.Equal(t, designer.StaleState, out.Err.Reason) {
				stale.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, int64(1), made.Load())
	assert.Equal(t, int64(15), stale.Load())
	assert.Len(t, names(t, d)["T"], 2)
}

func TestNoUpdateIsLostAmongWritersAndReaders(t *testing.T) {
	const writers, edits = 4, 12
	p := newProject(t)
	d := p.show(newDatabase("db", table("T")))
	events, cancel := p.Subscribe(p.store.seq)
	defer cancel()
	done := make(chan struct{})
	var readers, all sync.WaitGroup
	for range 3 {
		readers.Go(func() { readUntil(t, p, d, done) })
	}
	for w := range writers {
		all.Go(func() {
			for i := range edits {
				writeOne(t, d, fmt.Sprintf("w%d_%d", w, i), []string{"agent", "page"}[w%2])
			}
		})
	}
	all.Wait()
	close(done)
	readers.Wait()

	assert.Len(t, names(t, d)["T"], 1+writers*edits)
	got := drain(events)
	require.Len(t, got, writers*edits)
	for i, e := range got {
		assert.Equal(t, got[0].Seq+uint64(i), e.Seq)
	}
	assert.Equal(t, d.Version(), got[len(got)-1].Version)
	want := modelOf(t, d)
	p.restart()
	assert.Equal(t, want, modelOf(t, p.designer("db")))
}

// writeOne adds a column, again and again on the version it is told.
func writeOne(t *testing.T, d *Designer, column, origin string) {
	version := d.Version()
	for {
		out, err := d.Apply(context.Background(), Batch{ExpectedVersion: version, Origin: origin,
			Edits: []designer.Edit{addColumn("T", column)}})
		if !assert.NoError(t, err) || out.Err == nil {
			return
		}
		if !assert.Equal(t, designer.StaleState, out.Err.Reason) {
			return
		}
		version = out.Version
	}
}

// readUntil reads every way there is and checks that what it sees agrees.
func readUntil(t *testing.T, p *project, d *Designer, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		assert.NoError(t, d.View(func(s *designer.Schema) { assert.NoError(t, s.Check()) }))
		for _, info := range p.List() {
			assert.NotEmpty(t, info.Version)
		}
		_, _, err := d.History(context.Background(), 5)
		assert.NoError(t, err)
		_, err = d.Apply(context.Background(), Batch{ExpectedVersion: d.Version(), DryRun: true,
			Edits: []designer.Edit{addTable("Never")}})
		assert.NoError(t, err)
	}
}
