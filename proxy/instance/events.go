package instance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/berth-dev/berth/proxy/wire"
)

// getEvents streams the project's events as server-sent events: the Seq as id
// (none for a notice), the Data as data, and a comment as heartbeat when idle.
// It resumes after the header Last-Event-ID, else after=…, else from 0; and it
// ends when the source does, the key is revoked or the instance stops. A stream
// that is a lease is told how the instance ended, if it did so by itself.
func (s *Server) getEvents(w http.ResponseWriter, r *request) error {
	after, err := resumeAfter(r.Request)
	if err != nil {
		return err
	}
	lease, err := s.leaseOf(r)
	if err != nil {
		return err
	}
	ctx, done, ok := s.streams.add(r.Context(), stream{key: r.key, lease: lease})
	if !ok {
		return fail(wire.CodeOverloaded, "at most %d event streams are open at once; close a page", s.cfg.MaxStreams)
	}
	defer done()
	defer s.heldBy(lease)()
	// Check again: the key may have been revoked just before the stream was
	// registered.
	if _, f := s.authenticate(r.Request, anyKey); f != nil {
		return f
	}
	events, cancel := s.cfg.Events.Subscribe(after)
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	out := eventWriter{w}
	if err := out.comment("connected"); err != nil {
		return nil // the reader has gone, as in every write below
	}
	beat := time.NewTicker(s.cfg.Heartbeat)
	defer beat.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return s.lastWord(out, r, lease)
		case event, ok := <-events:
			if !ok {
				return s.lastWord(out, r, lease)
			}
			err = out.event(event)
			beat.Reset(s.cfg.Heartbeat)
		case <-beat.C:
			err = out.comment("heartbeat")
		}
	}
	return nil
}

// leaseOf returns the lease that a stream is asked to be; one without a name if
// it is none. A page holds the instance by its stream as it is.
func (s *Server) leaseOf(r *request) (wire.Lease, error) {
	name := r.URL.Query().Get(wire.LeaseParam)
	switch {
	case name == "":
		return wire.Lease{}, nil
	case r.key != "":
		return wire.Lease{}, fail(wire.CodeForbidden, "a lease is taken with the instance's token")
	case len(name) > wire.MaxLeaseName || !utf8.ValidString(name):
		return wire.Lease{}, fail(wire.CodeInvalidRequest, "a lease's name is text of at most %d bytes", wire.MaxLeaseName)
	}
	return wire.Lease{Name: name, Since: s.cfg.Now().UTC()}, nil
}

// lastWord tells a reader that holds a lease how the instance ended, if it is
// ending and the reader is there.
func (s *Server) lastWord(out eventWriter, r *request, lease wire.Lease) error {
	outcome := Outcome(s.outcome.Load())
	if lease.Name == "" || outcome == Failed || r.Context().Err() != nil {
		return nil
	}
	data, err := json.Marshal(wire.Ended{Type: wire.EndedType, Outcome: outcome.String()})
	if err != nil {
		return err
	}
	_ = out.event(Event{Data: data}) // the reader may have gone too
	return nil
}

// resumeAfter returns the Seq to resume after. The header takes precedence: on
// a reconnect it is newer than the URL.
func resumeAfter(r *http.Request) (uint64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fail(wire.CodeInvalidRequest, "after and Last-Event-ID take the seq of an event, a whole number")
	}
	return after, nil
}

// eventWriter writes server-sent events, each flushed.
type eventWriter struct {
	http.ResponseWriter
}

func (e eventWriter) event(event Event) error {
	var data bytes.Buffer
	// Compact, since a line break would end the data.
	if err := json.Compact(&data, event.Data); err != nil {
		return fmt.Errorf("event %d: %w", event.Seq, err)
	}
	if event.Seq == 0 {
		return e.send(fmt.Sprintf("data: %s\n\n", data.Bytes()))
	}
	return e.send(fmt.Sprintf("id: %d\ndata: %s\n\n", event.Seq, data.Bytes()))
}

func (e eventWriter) comment(text string) error { return e.send(": " + text + "\n\n") }

func (e eventWriter) send(text string) error {
	if _, err := e.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(e.ResponseWriter).Flush()
}
