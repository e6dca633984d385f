package instance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// getEvents streams the project's events as server-sent events: the Seq as id
// (none for a notice), the Data as data, and a comment as heartbeat when idle.
// It resumes after the header Last-Event-ID, else after=…, else from 0; and it
// ends when the source does, the key is revoked or the instance stops.
func (s *Server) getEvents(w http.ResponseWriter, r *request) error {
	after, err := resumeAfter(r.Request)
	if err != nil {
		return err
	}
	ctx, done, ok := s.streams.add(r.Context(), r.key)
	if !ok {
		return fail(wire.CodeOverloaded, "at most %d event streams are open at once; close a page", s.cfg.MaxStreams)
	}
	defer done()
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
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			err = out.event(event)
			beat.Reset(s.cfg.Heartbeat)
		case <-beat.C:
			err = out.comment("heartbeat")
		}
	}
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
