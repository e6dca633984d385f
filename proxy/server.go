package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/berth-dev/berth/proxy/mcptool"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/lane"
)

// endGrace is how long handlers may take to return after their contexts are
// canceled.
const endGrace = 40 * time.Millisecond

// ServerOptions configures a [Server]. The zero value is ready to use.
type ServerOptions struct {
	Version string       // of this program, told to clients
	Logger  *slog.Logger // nil: no log; gets the session's warnings and errors
	// Card is the HTML of the view that shows a person what an agent has edited.
	// "": there is none.
	Card string
}

// Server offers every tool of the catalogue over MCP, to clients that use the
// initialize handshake (2025-11-25 and before) and to those that do not
// (2026-07-28). It keeps no state between calls: projectRoot decides where each
// one goes.
type Server struct {
	client *Client
	mcp    *mcp.Server
	views  bool // there are views for clients that show them
}

// NewServer returns a server that forwards calls through c. It does no I/O.
func NewServer(c *Client, opts ServerOptions) *Server {
	s := &Server{client: c, views: opts.Card != ""}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: wire.ServerName, Title: wire.ServerName, Version: opts.Version},
		&mcp.ServerOptions{
			Instructions: catalog.Instructions,
			Logger:       warnings(opts.Logger),
			// The list of tools is static, and nothing is logged to clients.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	s.mcp.AddSendingMiddleware(mcptool.EveryAnswer)
	s.mcp.AddReceivingMiddleware(mcptool.Spelling, mcptool.Growing)
	for _, d := range catalog.All() {
		s.mcp.AddTool(mcptool.Tool(d), s.handle)
	}
	if opts.Card != "" {
		for _, d := range catalog.ForViews() {
			s.mcp.AddTool(mcptool.Tool(d), s.handle)
		}
		mcptool.AddViews(s.mcp, opts.Card)
	}
	return s
}

// Run serves one client until in ends or ctx does, and returns within 100 ms
// of that; calls in flight are cancelled. Both are a normal end, nil. One
// goroutine stays blocked reading in until a read returns: close in, or end
// the process.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newStdio(out, s.client.waits.eof)
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), conn, nil)
	if err != nil {
		return fmt.Errorf("start MCP on stdio: %w", err)
	}
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	short := &shortcut{server: s, session: session, conn: conn, workers: lane.NewWorkers()}
	conn.start(in, func(req *jsonrpc.Request) bool { return short.take(calls, req) })
	ended := make(chan error, 1)
	go func() {
		err := session.Wait()
		short.end(cancel)
		ended <- err
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		conn.hangUp() // cancels the calls in flight and ends the session
		err = within(endGrace, ended)
	case <-conn.ending:
		err = within(s.client.waits.eof+endGrace, ended)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve MCP on stdio: %w", err)
	}
	return nil
}

// within waits up to limit for the session to end. It does not wait longer,
// because a handler that writes to a client that has stopped reading may never
// return.
func within(limit time.Duration, ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(limit):
		return nil
	}
}

// warnings returns a logger that drops everything below warnings. The MCP
// library logs the start and end of every session at info level.
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
