package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// Position is a place in a journal: so many entries, the last of which has the
// hash. The zero value is the place before the first entry.
type Position struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"` // "" only where Seq is 0
}

// Entry is one entry of a journal.
type Entry struct {
	Seq      uint64    // from 1, without gaps
	ID       string    // chosen by its author; unique in the journal
	Previous string    // hash of the entry before; "" for the first
	Body     []byte    // what designer/session wrote
	At       time.Time // by the broker's clock
}

// Hash identifies the entry and, since it covers Previous, all before it. It is
// 32 hexadecimal digits. The sequence and the broker's clock are no part of it.
func (e Entry) Hash() string {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(e.Previous), []byte(e.ID), e.Body} {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		sum.Write(part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Position returns the place after the entry.
func (e Entry) Position() Position { return Position{Seq: e.Seq, Hash: e.Hash()} }

// Journal is one shared history, reached by some broker. It is safe for
// concurrent use; Append is called by one goroutine at a time.
type Journal interface {
	// Name is what people call the journal.
	Name() string
	// Append puts an entry after a position and returns its own. The error is
	// [ErrLost], a [*RefusedError], a [*UnreachableError], a [*BrokenError] or an
	// [*UnknownError].
	// Anything but the last means that the entry is not in the journal and will
	// not be.
	Append(ctx context.Context, after Position, id string, body []byte) (Position, error)
	// Read delivers the entries after a position, up to the last one that there
	// was when it began.
	Read(ctx context.Context, after Position, deliver func(Entry) error) error
	// Follow delivers the entries after a position as they come. It outlives
	// every outage of the broker, and returns when ctx ends, with the error of
	// deliver, or with a [*BrokenError].
	Follow(ctx context.Context, after Position, deliver func(Entry) error) error
	// Reach reports whether the broker can be reached.
	Reach() Reach
	// SaveSnapshot keeps what a newcomer may start from in place of the entries
	// up to a position.
	SaveSnapshot(ctx context.Context, at Position, data []byte) error
	// Snapshot returns the newest one that fits the journal; data is nil if
	// there is none.
	Snapshot(ctx context.Context) (at Position, data []byte, err error)
}

// Reach is what is known of the way to the broker.
type Reach struct {
	Connected bool
	Since     time.Time // when that began
	Reason    string    // why it is not connected; ""
}
