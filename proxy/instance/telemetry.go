package instance

import (
	"context"
	"log/slog"
	"time"

	"github.com/berth-dev/berth/tools"
)

// Telemetry is all that is logged about a call: the kind of work and its
// outcome, never a name, a value or a statement.
type Telemetry struct {
	Operation string // of a closed list
	Edits     int
	Success   bool
	Reason    string // of a closed list; empty on success
}

// observe is the default of Config.Observe: what is known without knowing the
// tool.
func observe(call tools.Call, reply tools.Reply) Telemetry {
	return Telemetry{Operation: call.Tool, Success: !reply.IsError}
}

// logCall logs a call.
func (s *Server) logCall(ctx context.Context, call tools.Call, reply tools.Reply, took time.Duration) {
	t := s.cfg.Observe(call, reply)
	s.cfg.Calls.LogAttrs(ctx, slog.LevelInfo, "tool call",
		slog.String("operation", t.Operation),
		slog.Int("editCount", t.Edits),
		slog.Bool("success", t.Success),
		slog.String("reason", t.Reason),
		slog.Int64("durationMs", took.Milliseconds()),
	)
}
