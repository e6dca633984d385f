package schema

import (
	"encoding/json"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// A call whose form is wrong is refused before its edits are read. What is
// wrong with them is said in the same reply nevertheless, so that the second
// call can be right.

// checkFields refuses a call with fields that the operation does not take, and
// names them.
func checkFields(operation string, fields []string) *failure {
	const said = 4
	var first *failure
	more := 0
	for _, field := range fields {
		f := checkField(operation, field)
		switch {
		case f == nil:
		case first == nil:
			first = f
		default:
			if more++; more < said {
				first.Message += "; " + f.Message
			}
		}
	}
	if more >= said {
		first.Message += fmt.Sprintf("; and %d fields more", more-said+1)
	}
	if more > 0 {
		first.Hints = nil // it was about the first alone
	}
	return first
}

// mendMisplaced adds to the refusal of a call of apply_edits what is wrong with
// its edits, wherever in the call they stand.
func (t *Tool) mendMisplaced(in *invocation, f *failure) {
	if in.call.Origin == tools.OriginPage {
		return
	}
	type place struct {
		Edits json.RawMessage `json:"edits"`
	}
	var given struct {
		Operation      string `json:"operation"`
		ConnectionID   string `json:"connectionId"`
		ConnectionName string `json:"connectionName"`
		Payload        place  `json:"payload"`
		Options        place  `json:"options"`
		place
	}
	if json.Unmarshal(in.call.Arguments, &given) != nil || given.Operation != opApply {
		return
	}
	d, ok := t.opts.Manager.Active()
	if given.ConnectionID != "" || given.ConnectionName != "" {
		d = t.openDesigner(&request{ConnectionID: given.ConnectionID, ConnectionName: given.ConnectionName})
		ok = d != nil
	}
	if !ok {
		return
	}
	for _, list := range []json.RawMessage{given.Payload.Edits, given.Edits, given.Options.Edits} {
		if len(list) > 0 {
			mendBeside(d, f, list)
			return
		}
	}
}

// mendBeside adds to a refusal that is not about the edits what is wrong with
// their form, and the edits as they were meant.
func mendBeside(d *session.Designer, f *failure, list json.RawMessage) {
	var m edits.Mended
	if err := d.View(func(s *designer.Schema) { m = edits.Mend(list, s, 0) }); err != nil || len(m.Fields) == 0 {
		return
	}
	if f.Hints == nil {
		f.Hints = &hints{}
	}
	f.Hints.UnknownFields = append(f.Hints.UnknownFields, m.Fields...)
	f.Message += "; hints.unknownFields has what is wrong with the edits"
	if len(m.Edits) > 0 {
		f.Hints.CorrectedEdits = m.Edits
		f.Message += ". Send hints.correctedEdits in place of the edits of their indexes"
	}
}
