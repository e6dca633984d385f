package proxy

import (
	"sync"

	"github.com/berth-dev/berth/proxy/wire"
)

// pool keeps one peer per project, for the run of its instance that was called
// last. It is bounded and evicts the least recently used peer.
type pool struct {
	opts Options

	mu    sync.Mutex
	clock uint64           // counts uses
	peers map[string]*peer // by root
}

func newPool(opts Options) *pool {
	return &pool{opts: opts, peers: map[string]*peer{}}
}

// peer returns the peer for this run of root's instance and drops those of
// earlier runs.
func (p *pool) peer(root string, inst wire.Instance) *peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock++
	old := p.peers[root]
	if old != nil && old.inst.Port == inst.Port && old.inst.Token.Equal(inst.Token) {
		old.used = p.clock
		return old
	}
	if old != nil {
		p.removeLocked(old)
	} else if len(p.peers) >= p.opts.MaxInstances {
		p.removeLocked(p.oldestLocked())
	}
	fresh := newPeer(root, inst, p.opts)
	fresh.used = p.clock
	p.peers[root] = fresh
	return fresh
}

// drop removes a peer that turned out to be dead, unless it was replaced.
func (p *pool) drop(dead *peer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.peers[dead.root] == dead {
		p.removeLocked(dead)
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, peer := range p.peers {
		p.removeLocked(peer)
	}
}

// removeLocked closes a peer's idle connections; those in use close when
// their call ends.
func (p *pool) removeLocked(old *peer) {
	delete(p.peers, old.root)
	old.closeIdle()
}

func (p *pool) oldestLocked() *peer {
	var oldest *peer
	for _, peer := range p.peers {
		if oldest == nil || peer.used < oldest.used {
			oldest = peer
		}
	}
	return oldest
}
