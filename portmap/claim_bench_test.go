package portmap

import (
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkClaim claims and releases. The disk takes most of it: three
// flushes a claim and three a release.
func BenchmarkClaim(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		s := newStore(b, 64)
		root := project(b, "app")
		for b.Loop() {
			claimOnce(b, s, root)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "claims/s")
	})
	b.Run("many at once", func(b *testing.B) {
		s := newStore(b, 64, func(o *Options) { o.LockTimeout = time.Minute })
		var workers atomic.Int64
		parent := project(b, "projects")
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			root := filepath.Join(parent, strconv.FormatInt(workers.Add(1), 10))
			for pb.Next() {
				claimOnce(b, s, root)
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "claims/s")
	})
	b.Run("behind a thousand ports that strangers hold", func(b *testing.B) {
		s := newStore(b, 1001)
		for port := s.opts.FirstPort; port < s.opts.LastPort; port++ {
			occupy(b, port)
		}
		b.ResetTimer()
		for b.Loop() {
			// A project of its own each time: the last port is not yet anybody's.
			b.StopTimer()
			s.path = filepath.Join(b.TempDir(), "ports.json")
			root := filepath.Join(s.dir(), "app")
			b.StartTimer()
			claimOnce(b, s, root)
		}
	})
}

func claimOnce(b *testing.B, s *Store, root string) {
	b.Helper()
	c, err := s.Claim(b.Context(), root)
	if err != nil {
		b.Error(err)
		return
	}
	if _, err := s.Release(b.Context(), root, c.Port); err != nil {
		b.Error(err)
	}
	if err := c.Listener.Close(); err != nil {
		b.Error(err)
	}
}

// BenchmarkLookup reads the map as a front-end does for a call.
func BenchmarkLookup(b *testing.B) {
	s := newStore(b, 64)
	root := project(b, "app")
	c, err := s.Claim(b.Context(), root)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Listener.Close()
	for b.Loop() {
		if _, _, err := s.Lookup(root); err != nil {
			b.Fatal(err)
		}
	}
}
