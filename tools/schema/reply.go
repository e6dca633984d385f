package schema

import (
	"bytes"
	"encoding/json"

	"github.com/berth-dev/berth/tools"
)

// The hard caps, in bytes.
const (
	maxReply   = 32 << 10 // of any reply
	maxReceipt = 4 << 10  // of a mutation's reply
)

// envelope is how every success but show's starts.
type envelope struct {
	Success  bool   `json:"success"`
	Version  string `json:"version"`
	Server   string `json:"server"`
	Database string `json:"database"`
}

// answer puts a reply, a question or a refusal into words.
func (t *Tool) answer(reply any, refused *failure) tools.Reply {
	if refused != nil {
		return t.refuse(refused)
	}
	if ask, ok := reply.(*tools.Ask); ok {
		return tools.Reply{Ask: ask}
	}
	return tools.Reply{Content: []string{string(encode(reply))}}
}

// refuse words a failure; one that is too long goes without its hints.
func (t *Tool) refuse(f *failure) tools.Reply {
	if f.CurrentOverview == nil && len(encode(f)) > maxReceipt {
		f.Hints = nil
	}
	return tools.Reply{Content: []string{string(encode(f))}, IsError: true}
}

// encode renders compact JSON; <, > and & stay as they are. The values are
// our own structs, which always have a form in JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// room is what is left of a reply's bytes.
type room int

// take reports whether something of that size fits, with a comma, and takes
// it.
func (r *room) take(size int) bool {
	if int(*r) < size+1 {
		return false
	}
	*r -= room(size + 1)
	return true
}

// fill keeps the items that fit, encoded, in order, up to the first that does
// not.
func fill[T any](r *room, items []T) []json.RawMessage {
	return fillWith(r, items, func(item T) any { return item })
}

// fillWith is fill for items that are shown as view has them.
func fillWith[T any](r *room, items []T, view func(T) any) []json.RawMessage {
	kept := []json.RawMessage{}
	for _, item := range items {
		raw := encode(view(item))
		if !r.take(len(raw)) {
			break
		}
		kept = append(kept, raw)
	}
	return kept
}
