package schema

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// receiptReply is all a mutation answers.
type receiptReply struct {
	envelope
	DryRun  bool    `json:"dryRun,omitempty"` // the receipt is what would be; nothing was done
	Receipt receipt `json:"receipt"`
}

// receipt counts what was done by the operation's own word and names what
// changed.
type receipt struct {
	AppliedEdits *int              `json:"appliedEdits,omitempty"`
	UndoneEdits  *int              `json:"undoneEdits,omitempty"`
	RedoneEdits  *int              `json:"redoneEdits,omitempty"`
	Changes      designer.Changes  `json:"changes"`
	ChangeCounts map[string]int    `json:"changeCounts,omitempty"` // where changes lists the first ones only
	Warnings     []json.RawMessage `json:"warnings"`
	Truncated    bool              `json:"truncated,omitempty"`
}

// warningRoom is what warnings keep of a receipt that is too long.
const warningRoom = room(1 << 10)

// receipt words what came of a mutation within [maxReceipt].
func (w *work) receipt(out session.Outcome) receiptReply {
	reply := receiptReply{envelope: w.envelope(out.Version), DryRun: out.DryRun}
	r := &reply.Receipt
	switch w.request.Operation {
	case opUndo:
		r.UndoneEdits = &out.Applied
	case opRedo:
		r.RedoneEdits = &out.Applied
	default:
		r.AppliedEdits = &out.Applied
	}
	r.Changes = out.Changes
	all := room(maxReply)
	r.Warnings = fill(&all, out.Warnings)
	reply.shorten(out)
	return reply
}

// shorten cuts the lists to as many entries as fit, the warnings first.
func (reply *receiptReply) shorten(out session.Outcome) {
	fits := func() bool { return len(encode(reply)) <= maxReceipt }
	if fits() {
		return
	}
	r := &reply.Receipt
	r.Truncated = true
	left := warningRoom
	r.Warnings = fill(&left, out.Warnings)
	for _, most := range []int{50, 30, 20, 10, 5, 2, 1, 0} {
		if fits() {
			return
		}
		r.Changes, r.ChangeCounts = firstOf(out.Changes, most), out.Changes.Counts()
	}
}

// firstOf returns the first entries of each list.
func firstOf(c designer.Changes, n int) designer.Changes {
	return designer.Changes{
		TablesAdded: first(c.TablesAdded, n), TablesUpdated: first(c.TablesUpdated, n), TablesDropped: first(c.TablesDropped, n),
		ColumnsAdded: first(c.ColumnsAdded, n), ColumnsUpdated: first(c.ColumnsUpdated, n), ColumnsDropped: first(c.ColumnsDropped, n),
		ForeignKeysAdded: first(c.ForeignKeysAdded, n), ForeignKeysUpdated: first(c.ForeignKeysUpdated, n), ForeignKeysDropped: first(c.ForeignKeysDropped, n),
		IndexesAdded: first(c.IndexesAdded, n), IndexesUpdated: first(c.IndexesUpdated, n), IndexesDropped: first(c.IndexesDropped, n),
		ChecksAdded: first(c.ChecksAdded, n), ChecksUpdated: first(c.ChecksUpdated, n), ChecksDropped: first(c.ChecksDropped, n),
	}
}

func first[T any](list []T, n int) []T { return list[:min(len(list), n)] }
