package schema

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
)

// logCall writes one line a call: which operation, how many edits, whether it
// succeeded or why not, how long it took. No name and no data of the call
// gets there, so the operation only where it is one of ours.
func (t *Tool) logCall(ctx context.Context, in *invocation, refused *failure, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("operation", in.operation()),
		slog.String("origin", string(in.call.Origin)),
		slog.Bool("success", refused == nil),
		slog.Duration("duration", took),
	}
	if in.operation() == opApply {
		attrs = append(attrs, slog.Int("edits", editCount(in.request)))
	}
	if refused != nil {
		attrs = append(attrs, slog.String("reason", string(refused.Reason)))
	}
	t.opts.Logger.LogAttrs(ctx, slog.LevelInfo, "schema designer call", attrs...)
}

func editCount(r *request) int {
	var edits []json.RawMessage
	if json.Unmarshal(r.Payload.Edits, &edits) != nil {
		return 0
	}
	return len(edits)
}
