package schema

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
)

// receiptReply answers a mutation: what was done, never what is there.
type receiptReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	DryRun  bool    `json:"dryRun,omitzero"` // nothing was done; the receipt is what would be
	Receipt receipt `json:"receipt"`
}

type receipt struct {
	AppliedEdits *int           `json:"appliedEdits,omitzero"`
	UndoneEdits  *int           `json:"undoneEdits,omitzero"`
	RedoneEdits  *int           `json:"redoneEdits,omitzero"`
	Changes      jsontext.Value `json:"changes"`         // lists by kind, as the session summarised them
	Counts       jsontext.Value `json:"counts,omitzero"` // of the whole lists, where they are cut
	ReadAs       *readAs        `json:"readAs,omitzero"` // of an import: as what the text was read
	Warnings     []string       `json:"warnings"`        // in words
	Truncated    bool           `json:"truncated,omitzero"`
}

func receiptFor(in *invocation, out session.Outcome) *receiptReply {
	r := &receiptReply{Success: true, Version: out.Version, databaseIdentity: in.identity(), DryRun: out.DryRun}
	r.Receipt.Changes = encode(out.Changes)
	r.Receipt.Warnings = []string{}
	for _, w := range out.Warnings {
		r.Receipt.Warnings = append(r.Receipt.Warnings, clip.Text(w, maxMessage))
	}
	return r
}

// fit cuts a receipt to its limit: every list to its first entries, fewer and
// fewer, with the counts of the whole beside.
func (r *receiptReply) fit() *receiptReply {
	if len(encode(r)) <= maxReceipt {
		return r
	}
	lists, err := changeLists(r.Receipt.Changes)
	if err != nil {
		lists = nil // our own encoding: it is read back as written
	}
	warnings := r.Receipt.Warnings
	r.Receipt.Truncated = true
	r.Receipt.Counts = countsOf(lists, len(warnings))
	for most := 32; ; most /= 2 {
		r.Receipt.Changes = firstOf(lists, most)
		r.Receipt.Warnings = warnings[:min(most/2, len(warnings))]
		if most == 0 || len(encode(r)) <= maxReceipt {
			return r
		}
	}
}

// changeList is one list of a summary of changes.
type changeList struct {
	name  string
	items []jsontext.Value
}

func changeLists(changes jsontext.Value) ([]changeList, error) {
	all, err := members(json.RawMessage(changes))
	if err != nil {
		return nil, err
	}
	var lists []changeList
	for _, m := range all {
		l := changeList{name: m.name}
		if err := json.Unmarshal(m.value, &l.items); err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	return lists, nil
}

func countsOf(lists []changeList, warnings int) jsontext.Value {
	var counts object
	for _, l := range lists {
		counts.add(l.name, len(l.items))
	}
	if warnings > 0 {
		counts.add("warnings", warnings)
	}
	return counts.value()
}

func firstOf(lists []changeList, most int) jsontext.Value {
	var cut object
	for _, l := range lists {
		if n := min(most, len(l.items)); n > 0 {
			cut.add(l.name, l.items[:n])
		}
	}
	return cut.value()
}

// object writes a JSON object member by member, in order.
type object struct{ text []byte }

func (o *object) add(name string, value any) {
	if len(o.text) > 0 {
		o.text = append(o.text, ',')
	}
	o.text = append(o.text, encode(name)...)
	o.text = append(o.text, ':')
	o.text = append(o.text, encode(value)...)
}

func (o *object) value() jsontext.Value { return jsontext.Value("{" + string(o.text) + "}") }
