package schema

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// PageTakeBack takes the agent's changes in what keys select out of the design.
func (t *Tool) PageTakeBack(ctx context.Context, d *session.Designer, keys []review.Key, expectedVersion string) PageReply[ToolReply] {
	in := pageCall(d, opUndo)
	if expectedVersion == "" {
		return t.pageRefusal(in, invalid("expectedVersion is required: the version in your last reply"))
	}
	out, err := d.TakeBack(ctx, session.TakeBack{Keys: keys, ExpectedVersion: expectedVersion, Origin: string(tools.OriginPage)})
	if err != nil {
		return t.pageRefusal(in, t.internal(in, err))
	}
	if out.Err != nil {
		f := fromDesigner(out.Err)
		f.CurrentVersion = out.Version
		return t.pageRefusal(in, f)
	}
	reply := receiptFor(in, out)
	reply.Receipt.UndoneEdits = &out.Applied
	return PageReply[ToolReply]{Result: ToolReply(encode(reply.fit()))}
}

// PageAccept accepts the agent's changes in what keys select; none: all. counter
// is how often anything was accepted, 0 where it was refused.
func (t *Tool) PageAccept(ctx context.Context, d *session.Designer, keys []review.Key, expectedVersion string) (reply PageReply[ToolReply], counter int64) {
	in := pageCall(d, opUndo)
	counter, err := d.Accept(ctx, keys, expectedVersion)
	switch {
	case errors.Is(err, session.ErrStale):
		return t.pageRefusal(in, &failure{Reason: designer.StaleState, Message: "the design has just changed: look again, then accept",
			CurrentVersion: d.Version()}), 0
	case errors.Is(err, session.ErrDocumentTooLarge):
		return t.pageRefusal(in, invalid("too many single things are accepted: take back what is not wanted, then accept all")), 0
	case err != nil:
		return t.pageRefusal(in, t.internal(in, err)), 0
	}
	return PageReply[ToolReply]{Result: ToolReply(encode(struct {
		Success bool   `json:"success"`
		Version string `json:"version"`
	}{true, expectedVersion}))}, counter
}

// pageRefusal is a refusal in the shape of the tool's.
func (t *Tool) pageRefusal(in *invocation, f *failure) PageReply[ToolReply] {
	f.databaseIdentity = in.identity()
	return PageReply[ToolReply]{Refusal: t.refusedAs(in, f)}
}
