package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/berth-dev/berth/designer/journal"
)

// Journal is a [journal.Journal] in a stream.
type Journal struct {
	t      *Team
	name   string
	stream jetstream.Stream
}

var _ journal.Journal = (*Journal)(nil)

// Name implements [journal.Journal].
func (j *Journal) Name() string { return j.name }

// Reach implements [journal.Journal].
func (j *Journal) Reach() journal.Reach { return j.t.Reach() }

func (j *Journal) broken(reason, hint string) *journal.BrokenError {
	return &journal.BrokenError{Journal: j.name, Reason: reason, Hint: hint}
}

func (j *Journal) wentBack(have, last uint64) error {
	return j.broken(fmt.Sprintf("this replica has %d entries and the broker %d", have, last),
		"the broker lost acknowledged edits, as after a power cut without sync_interval: always or a restored backup; docs/teams.md says how to continue")
}

// errEnough ends a read that has delivered what it was to deliver.
var errEnough = errors.New("read to the end")

// Read implements [journal.Journal].
func (j *Journal) Read(ctx context.Context, after journal.Position, deliver func(journal.Entry) error) error {
	last, err := j.check(ctx, after)
	if err != nil || last == after.Seq {
		return err
	}
	err = j.consume(ctx, after, func(e journal.Entry) error {
		if err := deliver(e); err != nil || e.Seq < last {
			return err
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Follow implements [journal.Journal].
func (j *Journal) Follow(ctx context.Context, after journal.Position, deliver func(journal.Entry) error) error {
	var stopped error
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		began := time.Now()
		_, err := j.check(ctx, after)
		if err == nil {
			err = j.consume(ctx, after, func(e journal.Entry) error {
				if stopped = deliver(e); stopped != nil {
					return stopped
				}
				after, pause = e.Position(), firstPause
				return nil
			})
		}
		var broken *journal.BrokenError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case stopped != nil:
			return stopped
		case errors.As(err, &broken):
			return err
		}
		j.t.log.Debug("follow the journal again", "journal", j.name, "after", after.Seq, "cause", j.t.explain(err, began))
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
}

// check compares the journal with a place that a replica has reached, and
// returns its last sequence. It finds a stream that was deleted and made again,
// purged, or restored from an older backup.
func (j *Journal) check(ctx context.Context, at journal.Position) (last uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	began := time.Now()
	info, err := j.stream.Info(ctx)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return 0, j.broken("its stream is gone from the broker", "restore it there, or berth team detach to go on alone")
	case err != nil:
		return 0, j.t.explain(err, began)
	case info.State.LastSeq < at.Seq:
		return 0, j.wentBack(at.Seq, info.State.LastSeq)
	case info.State.LastSeq > 0 && info.State.FirstSeq != 1 || info.State.NumDeleted > 0:
		return 0, j.broken("entries were deleted from its stream", "restore the stream from a backup of the broker")
	}
	if wrong := wrongConfig(info.Config); wrong != "" {
		return 0, j.broken("its stream "+wrong, "somebody has edited the stream; put it back with the nats command")
	}
	if at.Seq == 0 {
		return info.State.LastSeq, nil
	}
	e, err := j.entry(ctx, at.Seq)
	if err != nil {
		return 0, err
	}
	if e.Hash() != at.Hash {
		return 0, j.broken(fmt.Sprintf("its entry %d is not the one that this replica has", at.Seq),
			"the stream was made again or restored: docs/teams.md says how to continue")
	}
	return info.State.LastSeq, nil
}

// entry reads one entry.
func (j *Journal) entry(ctx context.Context, seq uint64) (journal.Entry, error) {
	raw, err := j.stream.GetMsg(ctx, seq)
	if err != nil {
		return journal.Entry{}, fmt.Errorf("read entry %d of team design %q: %w", seq, j.name, err)
	}
	return j.read(ctx, raw.Sequence, raw.Time, raw.Header, raw.Data)
}

// read makes an entry of a message.
func (j *Journal) read(ctx context.Context, seq uint64, at time.Time, header nats.Header, data []byte) (journal.Entry, error) {
	e := journal.Entry{Seq: seq, At: at, ID: header.Get(jetstream.MsgIDHeader), Previous: header.Get(headerPrevious), Body: data}
	if object := header.Get(headerBody); object != "" {
		body, err := j.object(ctx, object)
		if err != nil {
			return e, err
		}
		e.Body = body
	}
	return e, nil
}

// consume delivers the entries after a position until something goes wrong, or
// the connection was lost in between.
func (j *Journal) consume(ctx context.Context, after journal.Position, deliver func(journal.Entry) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	again := j.t.reconnected()
	go func() {
		select {
		case <-again:
			cancel()
		case <-ctx.Done():
		}
	}()
	consumer, err := j.t.js.OrderedConsumer(ctx, streamOf(j.name), jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after.Seq + 1,
		InactiveThreshold: 2 * time.Minute, MaxResetAttempts: 1,
	})
	if err != nil {
		return fmt.Errorf("follow team design %q: %w", j.name, err)
	}
	messages, err := consumer.Messages(j.pace()...)
	if err != nil {
		return fmt.Errorf("follow team design %q: %w", j.name, err)
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("follow team design %q: %w", j.name, err)
		}
		if after, err = j.take(ctx, after, msg, deliver); err != nil {
			return err
		}
	}
}

// pace returns how long the broker may leave a follower waiting, and how often
// it has to say meanwhile that the wait goes on.
//
// With one server the connection's own pings report a dead one, so a follower
// with nothing to follow asks once a minute; the client allows no heartbeat
// rarer than 30 s. In a cluster another server than the one connected to may
// hold the consumer, and only missing heartbeats report that it is gone.
func (j *Journal) pace() []jetstream.PullMessagesOpt {
	if cluster := j.stream.CachedInfo().Cluster; cluster == nil || cluster.Name == "" {
		return []jetstream.PullMessagesOpt{jetstream.PullExpiry(time.Minute), jetstream.PullHeartbeat(30 * time.Second)}
	}
	return []jetstream.PullMessagesOpt{jetstream.PullExpiry(10 * time.Second), jetstream.PullHeartbeat(2 * time.Second)}
}

// take checks that a message is the next entry, and delivers it.
func (j *Journal) take(ctx context.Context, after journal.Position, msg jetstream.Msg, deliver func(journal.Entry) error) (journal.Position, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return after, err
	}
	if meta.Sequence.Stream != after.Seq+1 {
		return after, fmt.Errorf("follow team design %q: entry %d came after %d", j.name, meta.Sequence.Stream, after.Seq)
	}
	e, err := j.read(ctx, meta.Sequence.Stream, meta.Timestamp, msg.Headers(), msg.Data())
	if err != nil {
		return after, err
	}
	if e.ID == "" || e.Previous != after.Hash {
		return after, j.broken(fmt.Sprintf("entry %d does not follow the one before it", e.Seq),
			"something other than berth has written to the stream")
	}
	if err := deliver(e); err != nil {
		return after, err
	}
	return e.Position(), nil
}
