package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/berth-dev/berth/designer/journal"
)

// Headers of an entry, beside JetStream's.
const (
	headerPrevious = "Berth-Previous" // hash of the entry before
	headerBody     = "Berth-Body"     // object that holds the body, where that is too large
)

// Append implements [journal.Journal].
func (j *Journal) Append(ctx context.Context, after journal.Position, id string, body []byte) (journal.Position, error) {
	e := journal.Entry{Seq: after.Seq + 1, ID: id, Previous: after.Hash, Body: body}
	msg, err := j.message(ctx, e)
	if err != nil {
		return journal.Position{}, err
	}
	return j.push(ctx, &trial{after: after.Seq}, e, msg)
}

// message is the bytes that every try sends.
func (j *Journal) message(ctx context.Context, e journal.Entry) (*nats.Msg, error) {
	msg := nats.NewMsg(subjectOf(j.name))
	msg.Header.Set(jetstream.MsgIDHeader, e.ID)
	msg.Header.Set(jetstream.ExpectedStreamHeader, streamOf(j.name))
	msg.Header.Set(jetstream.ExpectedLastSeqHeader, strconv.FormatUint(e.Seq-1, 10))
	msg.Header.Set(headerPrevious, e.Previous)
	msg.Data = e.Body
	if int64(len(e.Body)) <= j.t.nc.MaxPayload()-headerRoom {
		return msg, nil
	}
	object := "body-" + e.ID
	if err := j.putObject(ctx, object, e.Body); err != nil {
		return nil, err
	}
	msg.Header.Set(headerBody, object)
	msg.Data = nil
	return msg, nil
}

// headerRoom is what a message's headers take at most.
const headerRoom = 4 << 10

// push sends an entry until its outcome is known or ctx ends.
func (j *Journal) push(ctx context.Context, tr *trial, e journal.Entry, msg *nats.Msg) (journal.Position, error) {
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		a := j.try(ctx, msg)
		v := tr.judge(a)
		if v == readPlace {
			v = tr.settle(j.place(ctx, e.Seq), e.ID)
		}
		switch v {
		case committed:
			return e.Position(), nil
		case lost:
			return journal.Position{}, j.lostTo(ctx, e)
		case refused:
			return journal.Position{}, j.refusal(a)
		}
		if wait(ctx, pause) != nil {
			return journal.Position{}, j.unfinished(tr, e, msg, a.reason())
		}
	}
}

// unfinished is the error of a push whose time is up.
func (j *Journal) unfinished(tr *trial, e journal.Entry, msg *nats.Msg, last error) error {
	if !tr.open {
		return &journal.UnreachableError{Journal: j.name, Reach: j.t.reachOr(last)}
	}
	return &journal.UnknownError{Journal: j.name, ID: e.ID, Err: last,
		Resolve: func(ctx context.Context) (journal.Position, error) { return j.push(ctx, tr, e, msg) }}
}

// reachOr is the way to the broker; a broker that is connected and does not
// answer is not reached either.
func (t *Team) reachOr(last error) journal.Reach {
	r := t.Reach()
	if r.Connected {
		r = journal.Reach{Since: time.Now(), Reason: last.Error()}
	}
	return r
}

// lostTo is the error of a lost race, or of a stream that has lost entries: its
// end is before the place that the entry was to take.
func (j *Journal) lostTo(ctx context.Context, e journal.Entry) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	if info, err := j.stream.Info(ctx); err == nil && info.State.LastSeq < e.Seq-1 {
		return j.wentBack(e.Seq-1, info.State.LastSeq)
	}
	return journal.ErrLost
}

func (j *Journal) refusal(a answer) error {
	r := &journal.RefusedError{Journal: j.name, Reason: a.text}
	switch {
	case a.deny != "":
		r.Reason, r.Hint = a.deny, "ask whoever runs the broker for the permissions of docs/teams.md"
	case isFull(a.code):
		r.Hint = "the broker has no room left: free or raise it there; what was acknowledged stays"
	case a.code == codeTooLarge:
		r.Hint = "max_payload of the broker, or max_msg_size of the stream, is too small"
	}
	return r
}

// try publishes once and waits for the answer.
func (j *Journal) try(ctx context.Context, msg *nats.Msg) answer {
	if !j.t.nc.IsConnected() {
		return answer{err: nats.ErrReconnectBufExceeded} // which is what publishing would say
	}
	began := time.Now()
	waits, cancel := context.WithTimeout(context.WithoutCancel(ctx), tryTime)
	defer cancel()
	reply, err := j.t.nc.RequestMsgWithContext(waits, msg)
	if err != nil {
		return answer{err: err, deny: j.t.denied(began, msg.Subject)}
	}
	return readAnswer(reply.Data)
}

// readAnswer reads JetStream's answer to a publish.
func readAnswer(data []byte) answer {
	var ack struct {
		Seq   uint64 `json:"seq"`
		Error *struct {
			Code        int    `json:"code"`
			ErrCode     int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(data, &ack); err != nil {
		return answer{err: fmt.Errorf("read the broker's answer: %w", err)}
	}
	if ack.Error != nil {
		return answer{code: ack.Error.ErrCode, http: ack.Error.Code, text: ack.Error.Description}
	}
	return answer{seq: ack.Seq}
}

func (a answer) reason() error {
	switch {
	case a.err != nil && isPatience(a.err):
		return errors.New("the broker does not answer")
	case errors.Is(a.err, nats.ErrReconnectBufExceeded):
		return errors.New("the broker is not connected")
	case a.err != nil:
		return a.err
	case a.text != "":
		return errors.New(a.text)
	}
	return errors.New("the broker acknowledged another entry")
}

// place reads what is at a sequence, from the stream's leader.
func (j *Journal) place(ctx context.Context, seq uint64) place {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tryTime)
	defer cancel()
	raw, err := j.stream.GetMsg(ctx, seq)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return place{}
	case err != nil:
		return place{err: err}
	}
	return place{id: raw.Header.Get(jetstream.MsgIDHeader)}
}

// wait waits, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
