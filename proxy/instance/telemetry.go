package instance

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// Telemetry is all that is logged about a call: the kind of work and its
// outcome, never a name, a value or a statement.
type Telemetry struct {
	Operation string // of a closed list
	Edits     int
	Ops       map[string]int // Edits by their op, of a closed list
	Tables    int            // in an overview
	// ColumnsOmitted: an overview left the columns out.
	ColumnsOmitted bool
	Success        bool
	Reason         string // of a closed list; empty on success
}

// observe is the default of Config.Observe: what is known without knowing the
// tool.
func observe(call tools.Call, reply tools.Reply) Telemetry {
	return Telemetry{Operation: call.Tool, Success: !reply.IsError, Reason: reply.Reason}
}

// logCall logs a call.
func (s *Server) logCall(ctx context.Context, call tools.Call, reply tools.Reply, took time.Duration) {
	t := s.cfg.Observe(call, reply)
	attrs := []slog.Attr{
		slog.String("operation", t.Operation),
		slog.Int("editCount", t.Edits),
		slog.Bool("success", t.Success),
		slog.String("reason", t.Reason),
		slog.Int64("durationMs", took.Milliseconds()),
	}
	s.cfg.Calls.LogAttrs(ctx, slog.LevelInfo, "tool call", append(attrs, t.counts()...)...)
}

// counts returns what is logged of few operations only.
func (t Telemetry) counts() []slog.Attr {
	var attrs []slog.Attr
	if len(t.Ops) > 0 {
		ops := make([]slog.Attr, 0, len(t.Ops))
		for _, op := range slices.Sorted(maps.Keys(t.Ops)) {
			ops = append(ops, slog.Int(op, t.Ops[op]))
		}
		attrs = append(attrs, slog.GroupAttrs("edits", ops...))
	}
	if t.Tables > 0 || t.ColumnsOmitted {
		attrs = append(attrs, slog.Int("tableCount", t.Tables), slog.Bool("columnsOmitted", t.ColumnsOmitted))
	}
	return attrs
}

// logRefused logs a call that was refused before its tool ran.
func (s *Server) logRefused(ctx context.Context, name string, req wire.Request, refusal *wire.Result, reason string) {
	call := tools.Call{Tool: name, Arguments: req.Arguments}
	s.logCall(ctx, call, tools.Reply{Content: refusal.Content, IsError: true, Reason: reason}, 0)
}
