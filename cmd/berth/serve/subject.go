package serve

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/presence"
	"github.com/berth-dev/berth/tools/schema"
)

// asked is what a call says of the table that it is about. What is of another
// type there is left out: the tool has refused it.
type asked struct {
	ConnectionID   string          `json:"connectionId"`
	ConnectionName string          `json:"connectionName"`
	Connection     string          `json:"connection"`
	Table          json.RawMessage `json:"table"` // a text
	Payload        struct {
		Table designer.TableRef `json:"table"`
		Edits []struct {
			Table designer.TableRef `json:"table"`
		} `json:"edits"`
	} `json:"payload"`
}

// isDesigner reports whether a tool works on a design.
func isDesigner(tool string) bool {
	return tool == catalog.SchemaDesigner || tool == catalog.SchemaReader
}

// operationOf names what a call does: the designer's by its operation, any other
// by its tool. Both are words of closed lists.
func operationOf(call tools.Call) string {
	if isDesigner(call.Tool) {
		if name := schema.OperationOf(call); name != "" {
			return name
		}
	}
	return call.Tool
}

// subject is what a call was about. It is asked for after the call: what that
// added is there then. A name that no table has is none.
func (h *here) subject(call tools.Call) presence.Subject {
	named := call.Tool == catalog.SampleTable || call.Tool == catalog.GetSchema
	if !named && !isDesigner(call.Tool) {
		return presence.Subject{}
	}
	var a asked
	_ = json.Unmarshal(call.Arguments, &a) // what can be read counts
	d, ok := h.designOf(a, named)
	if !ok {
		return presence.Subject{}
	}
	s := presence.Subject{Connection: d.ID()}
	_ = d.View(func(all *designer.Schema) { // a design that cannot be read has no tables
		s.Table = string(a.tableIn(all))
	})
	return s
}

// designOf finds the design that a call is about, if it is open.
func (h *here) designOf(a asked, query bool) (*session.Designer, bool) {
	switch {
	case query && a.Connection == "":
		return h.manager.ByName(h.main())
	case query:
		return h.manager.ByName(a.Connection)
	case a.ConnectionID != "":
		return h.manager.ByID(a.ConnectionID)
	case a.ConnectionName != "":
		return h.manager.ByName(a.ConnectionName)
	}
	return h.manager.Active()
}

// tableIn finds the table that a call is about, of several the last one that is
// there.
func (a asked) tableIn(all *designer.Schema) designer.ID {
	refs := []designer.TableRef{a.Payload.Table}
	for _, e := range a.Payload.Edits {
		refs = append(refs, e.Table)
	}
	var text string
	if json.Unmarshal(a.Table, &text) == nil {
		refs = append(refs, designer.TableRef{Name: text})
		if owner, name, ok := strings.Cut(text, "."); ok {
			refs = append(refs, designer.TableRef{Schema: owner, Name: name})
		}
	}
	for _, ref := range slices.Backward(refs) {
		if ref.ID != "" && all.ByID(ref.ID) != nil {
			return ref.ID
		}
		if ref.Name == "" {
			continue
		}
		if ref.Schema == "" {
			ref.Schema = all.DefaultSchema()
		}
		if found := all.Named(designer.TableName{Schema: ref.Schema, Name: ref.Name}); len(found) > 0 {
			return found[0].ID
		}
	}
	return ""
}
