package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/berth-dev/berth/designer/journal"
)

// ErrExists means that a team design of that name is there already.
var ErrExists = errors.New("a team design of that name exists")

// ErrNone means that there is no team design of that name.
var ErrNone = errors.New("there is no team design of that name")

// Create makes the stream of a new team design, with its first entry, on so
// many of the broker's servers: 1, 3 or 5. The error wraps [ErrExists] if there
// is one of that name. A stream without a first entry, whose creator ended, is
// taken over.
func (t *Team) Create(ctx context.Context, name string, replicas int, id string, genesis []byte) (*Journal, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	began := time.Now()
	s, err := asked(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		return t.js.CreateStream(ctx, config(name, replicas))
	})
	if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil, fmt.Errorf("create team design %q: %w", name, t.explain(err, began))
	}
	if err == nil && s.CachedInfo().State.LastSeq > 0 || err != nil {
		return nil, fmt.Errorf("create team design %q: %w", name, ErrExists)
	}
	objects := jetstream.ObjectStoreConfig{Bucket: bucketOf(name), Replicas: max(1, replicas)}
	if _, err := asked(ctx, func(ctx context.Context) (jetstream.ObjectStore, error) {
		return t.js.CreateOrUpdateObjectStore(ctx, objects)
	}); err != nil {
		return nil, fmt.Errorf("create the snapshots of team design %q: %w", name, t.explain(err, began))
	}
	j, err := t.open(ctx, name)
	if err != nil {
		return nil, err
	}
	_, err = j.Append(ctx, journal.Position{}, id, genesis)
	if errors.Is(err, journal.ErrLost) {
		err = ErrExists
	}
	if err != nil {
		return nil, fmt.Errorf("create team design %q: %w", name, err)
	}
	return j, nil
}

// asked repeats a request that may be made twice until it is answered, for
// leaderTime at most: what comes to a cluster that has no leader yet, as just
// after its start, is lost.
func asked[T any](ctx context.Context, request func(ctx context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, leaderTime)
	defer cancel()
	for {
		try, stop := context.WithTimeout(ctx, askTime)
		got, err := request(try)
		stop()
		if !isUnanswered(err) {
			return got, err
		}
		if wait(ctx, firstPause) != nil {
			return got, fmt.Errorf("the broker does not answer; a cluster has no leader, perhaps: %w", err)
		}
	}
}

// isUnanswered reports whether a request may not have come to a leader.
func isUnanswered(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) ||
		errors.As(err, &api) && api.ErrorCode == codeNoLeader
}

// config is a stream that forgets nothing: nothing can be deleted or purged,
// nothing ages, and a full stream refuses what is new. AllowDirect stays off, so
// that every read is the leader's.
func config(name string, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: streamOf(name), Subjects: []string{subjectOf(name)},
		Description: "the journal of a design shared with berth; see docs/teams.md",
		Retention:   jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, Storage: jetstream.FileStorage,
		DenyDelete: true, DenyPurge: true, Replicas: max(1, replicas),
	}
}

// Open opens a team design. The error wraps [ErrNone] if there is none of that
// name.
func (t *Team) Open(ctx context.Context, name string) (*Journal, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	return t.open(ctx, name)
}

func (t *Team) open(ctx context.Context, name string) (*Journal, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	began := time.Now()
	s, err := t.js.Stream(ctx, streamOf(name))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("open team design %q: %w", name, t.explain(err, began))
	}
	j := &Journal{t: t, name: name, stream: s}
	if wrong := wrongConfig(s.CachedInfo().Config); wrong != "" {
		return nil, j.broken("its stream "+wrong, "somebody has edited the stream, so entries can get lost; put it back with the nats command")
	}
	return j, nil
}

// wrongConfig says what of a stream can make it forget entries; "": nothing.
func wrongConfig(c jetstream.StreamConfig) string {
	var wrong []string
	for _, w := range []struct {
		is   bool
		text string
	}{
		{c.Retention != jetstream.LimitsPolicy, "deletes entries once they are read"},
		{c.Discard != jetstream.DiscardNew, "deletes old entries when it is full"},
		{c.MaxAge != 0, "deletes entries by age"},
		{c.MaxMsgsPerSubject > 0, "keeps a limited number of entries"},
		{!c.DenyDelete, "allows deleting entries"},
		{!c.DenyPurge, "allows purging"},
		{c.AllowRollup, "allows rollups"},
		{c.Mirror != nil || len(c.Sources) > 0, "copies another stream"},
		{c.Storage != jetstream.FileStorage, "is kept in memory"},
	} {
		if w.is {
			wrong = append(wrong, w.text)
		}
	}
	return strings.Join(wrong, ", ")
}

// List returns the names of the account's team designs.
func (t *Team) List(ctx context.Context) ([]string, error) {
	began := time.Now()
	names := t.js.StreamNames(ctx, jetstream.WithStreamListSubject("berth.j.*"))
	var list []string
	for name := range names.Name() {
		if short, ok := strings.CutPrefix(name, streamOf("")); ok {
			list = append(list, short)
		}
	}
	if err := names.Err(); err != nil {
		return nil, fmt.Errorf("list team designs: %w", t.explain(err, began))
	}
	return list, nil
}
