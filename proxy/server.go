package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// GCPercent is the garbage collector's setting for a process that only runs a
// [Server]: its live heap is a few MiB, so the default collects many times a
// second under parallel calls and saves next to nothing.
const GCPercent = 400

// How long the end of a session may take.
const (
	// eofGrace lets calls that are almost done answer after stdin ended, so
	// that a script can pipe its requests in and read the answers.
	eofGrace = 50 * time.Millisecond
	// endGrace is for handlers to return once their contexts have ended.
	endGrace = 40 * time.Millisecond
)

// ServerOptions change what a [Server] does by default. The zero value is good.
type ServerOptions struct {
	Version string       // of this program, told to clients
	Logger  *slog.Logger // nil: nothing; hears of warnings and errors of the session
}

// Server offers every tool of the catalogue over MCP, to clients that shake
// hands (2025-11-25 and before) and to those that do not (2026-07-28). It
// keeps nothing between calls: projectRoot says where each one goes.
type Server struct {
	client *Client
	mcp    *mcp.Server
}

// NewServer returns a server that forwards through c. It reads and opens
// nothing.
func NewServer(c *Client, opts ServerOptions) *Server {
	s := &Server{client: c}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: wire.ServerName, Title: wire.ServerName, Version: opts.Version},
		&mcp.ServerOptions{
			Instructions: catalog.Instructions,
			Logger:       warnings(opts.Logger),
			// The list of tools is static, and nothing is logged to clients.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	s.mcp.AddSendingMiddleware(mcptool.EveryAnswer)
	for _, d := range catalog.All() {
		s.mcp.AddTool(mcptool.Tool(d), s.handle)
	}
	return s
}

// Run serves one client until in ends or ctx does, and returns within 100 ms
// of that; calls in flight are cancelled. Both are a normal end, nil. One
// goroutine stays blocked reading in until a read returns: close in, or end
// the process.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newStdio(in, out)
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), conn, nil)
	if err != nil {
		return fmt.Errorf("start MCP on stdio: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		conn.hangUp() // ends the calls in flight, and with them the session
		err = within(endGrace, ended)
	case <-conn.ending:
		err = within(eofGrace+endGrace, ended)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve MCP on stdio: %w", err)
	}
	return nil
}

// within waits for the session's end, but not for a client that has stopped
// reading: a handler that writes to it may never return.
func within(limit time.Duration, ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(limit):
		return nil
	}
}

// warnings passes on what a session warns of. The MCP library reports every
// session's start and end at info level; a normal call logs nothing here.
func warnings(to *slog.Logger) *slog.Logger {
	if to == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(atLeastWarn{to.Handler()})
}

type atLeastWarn struct{ slog.Handler }

func (h atLeastWarn) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h atLeastWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeastWarn{h.Handler.WithAttrs(attrs)}
}

func (h atLeastWarn) WithGroup(name string) slog.Handler {
	return atLeastWarn{h.Handler.WithGroup(name)}
}
