package instance_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
)

// listen opens an event stream; its blocks arrive on the channel, which is
// closed when the stream ends.
func (r *testInstance) listen(path string, edit ...func(*http.Request)) <-chan string {
	r.t.Helper()
	req := r.request("GET", path, nil)
	for _, e := range edit {
		e(req)
	}
	resp, err := (&http.Client{Transport: r.client.Transport}).Do(req)
	require.NoError(r.t, err)
	require.Equal(r.t, 200, resp.StatusCode)
	require.Equal(r.t, "text/event-stream", resp.Header.Get("Content-Type"))
	blocks := make(chan string, 64)
	go func() {
		defer close(blocks)
		defer resp.Body.Close()
		var block strings.Builder
		for scan := bufio.NewScanner(resp.Body); scan.Scan(); {
			if scan.Text() != "" {
				fmt.Fprintln(&block, scan.Text())
				continue
			}
			blocks <- block.String()
			block.Reset()
		}
	}()
	return blocks
}

// ends waits until the stream has ended.
func ends(t *testing.T, blocks <-chan string) {
	t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case _, ok := <-blocks:
			if !ok {
				return
			}
		case <-deadline:
			require.FailNow(t, "the stream did not end")
		}
	}
}

func TestEventsArriveInOrderAndResumeWhereAReaderStopped(t *testing.T) {
	r := start(t)
	for i := range 3 {
		r.events.publish(fmt.Sprintf(`{"seq": %d}`, i+1))
	}
	tests := []struct {
		name, path string
		edit       func(*http.Request)
		first      int
	}{
		{"from the beginning", "/events", func(*http.Request) {}, 1},
		{"after the URL's seq", "/events?after=1", func(*http.Request) {}, 2},
		{"after the last one read, which is newer than the URL's", "/events?after=1", with("Last-Event-ID", "2"), 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blocks := r.listen(tt.path, tt.edit)
			assert.Equal(t, ": connected\n", receive(t, blocks, "the first word"))
			for seq := tt.first; seq <= 3; seq++ {
				assert.Equal(t, fmt.Sprintf("id: %d\ndata: {\"seq\":%d}\n", seq, seq), receive(t, blocks, "an event"))
			}
		})
	}
	blocks := r.listen("/events?after=3")
	receive(t, blocks, "the first word")
	r.events.publish("{\n\"live\": true}")
	assert.Equal(t, "id: 4\ndata: {\"live\":true}\n", receive(t, blocks, "the live event"))
}

func TestANoticeDoesNotMoveWhereAReaderResumes(t *testing.T) {
	r := start(t)
	blocks := r.listen("/events")
	receive(t, blocks, "the first word")
	r.events.publish(`{"type":"committed"}`)
	r.events.notify(`{"type":"approvals"}`)
	assert.Equal(t, "id: 1\ndata: {\"type\":\"committed\"}\n", receive(t, blocks, "the event"))
	assert.Equal(t, "data: {\"type\":\"approvals\"}\n", receive(t, blocks, "the notice"))
}

func TestAnEventStreamShowsThatItLives(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.Heartbeat = 5 * time.Millisecond })
	blocks := r.listen("/events")
	receive(t, blocks, "the first word")
	assert.Equal(t, ": heartbeat\n", receive(t, blocks, "a heartbeat"))
	assert.Equal(t, ": heartbeat\n", receive(t, blocks, "another"))
}

func TestAnEventStreamEnds(t *testing.T) {
	tests := []struct {
		name string
		end  func(r *testInstance, key string)
	}{
		{"with the instance", func(r *testInstance, _ string) { r.stop() }},
		{"with a handover", func(r *testInstance, _ string) { r.ask("POST", "/handover", nil) }},
		{"with its source", func(r *testInstance, _ string) { r.events.closeAll() }},
		{"with its key", func(r *testInstance, key string) { r.ask("DELETE", "/keys/"+key, nil, as(r.signedIn())) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t)
			key, credential := r.signIn()
			blocks := r.listen("/events", as(credential))
			receive(t, blocks, "the first word")
			tt.end(r, key)
			ends(t, blocks)
			require.Eventually(t, func() bool { return r.events.subscribers() == 0 }, patience, time.Millisecond)
		})
	}
}

func TestAnEventStreamAsksForAWholeNumberAndForRoom(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.MaxStreams = 1 })
	resp, body := r.ask("GET", "/events?after=-1", nil)
	assert.Equal(t, 400, resp.StatusCode, body)
	receive(t, r.listen("/events"), "the first word")
	resp, body = r.ask("GET", "/events", nil)
	assert.Equal(t, 503, resp.StatusCode)
	assert.Contains(t, failure(t, body).Message, "at most 1 event streams")
}

func TestAReaderThatDoesNotReadLosesItsStream(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.WriteTimeout = 20 * time.Millisecond })
	conn, err := net.Dial("tcp", r.addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET /events HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\n\r\n", r.addr, r.self.Token.Header())
	require.NoError(t, err)
	require.Eventually(t, func() bool { return r.events.subscribers() == 1 }, patience, time.Millisecond)
	big := `"` + strings.Repeat("x", 1<<20) + `"`
	require.Eventually(t, func() bool {
		r.events.publish(big)
		return r.events.subscribers() == 0
	}, patience, time.Millisecond)
}

func TestAnOpenEventStreamIsUse(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.Idle, c.Heartbeat = 200*time.Millisecond, 20*time.Millisecond })
	blocks := r.listen("/events")
	for range 20 { // twice as long as the idle time
		receive(t, blocks, "a heartbeat")
	}
	r.stillServes()
}
