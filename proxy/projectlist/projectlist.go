// Package projectlist is the list of running projects as agents get it from the
// tool list-projects: its arguments, its shape and its bounds. The front-end
// answers with the list of the whole machine, an instance at its /mcp with
// itself alone; both write it here, so that it looks the same. It looks at no
// project itself.
//
// Start with [Read] and [Reply].
package projectlist

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/proxy/wire"
)

// Bounds of one reply.
const (
	maxProjects = 50
	maxBytes    = 15 << 10 // of the projects' JSON; the definition's limit is a little above
	maxName     = 100      // of a database's name
)

// The states of a project in the list. Those that do not run are not in it.
const (
	Live         = "live"
	NotAnswering = "not answering"
)

// Project is one running project.
type Project struct {
	Host          string          `json:"host,omitempty"` // the machine it runs on; "": this one
	ProjectRoot   string          `json:"projectRoot"`
	State         string          `json:"state"`
	ActiveDesign  *Design         `json:"activeDesign,omitempty"` // nil: no design was shown
	Databases     []wire.Database `json:"databases,omitzero"`     // nil: not known
	MoreDatabases int             `json:"moreDatabases,omitempty"`
	Note          string          `json:"note,omitempty"` // what to do about its state
}

// Design is the design that the designer's operations work on.
type Design struct {
	Connection string `json:"connection"`
	State      string `json:"state,omitempty"` // synced, proposed or drifted
}

// LiveProject returns the entry of a project whose instance answered. If its
// status is nil, the instance did not say more in time.
func LiveProject(root string, s *wire.Status) Project {
	p := Project{ProjectRoot: root, State: Live}
	if s == nil {
		return p
	}
	if s.ActiveDesigner != "" {
		p.ActiveDesign = &Design{Connection: clip(s.ActiveDesigner), State: s.SyncState}
	}
	p.MoreDatabases = s.MoreDatabases + max(0, len(s.Databases)-wire.MaxDatabases)
	for _, d := range s.Databases[:min(len(s.Databases), wire.MaxDatabases)] {
		d.Name, d.Database = clip(d.Name), clip(d.Database)
		p.Databases = append(p.Databases, d)
	}
	if s.Databases != nil && p.Databases == nil {
		p.Databases = []wire.Database{}
	}
	return p
}

func clip(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}

// Arguments are those of list-projects. The zero value lists every project.
type Arguments struct {
	Contains string // only projects whose path contains it, ignoring case
}

// Has reports whether a project is asked for.
func (a Arguments) Has(root string) bool {
	return strings.Contains(strings.ToLower(root), strings.ToLower(a.Contains))
}

// Read reads the arguments of a call. projectRoot, which every other tool
// takes, is accepted and means nothing. An error is for the caller to read.
func Read(raw json.RawMessage) (Arguments, error) {
	if len(raw) == 0 || string(raw) == "null" { // some clients write null for none
		raw = json.RawMessage("{}")
	}
	if jsontext.Value(raw).Kind() != '{' {
		return Arguments{}, errors.New("arguments must be a JSON object")
	}
	var given map[string]jsontext.Value
	if err := wire.Decode(raw, wire.MaxDepth, wire.MaxRequestBytes, &given); err != nil {
		return Arguments{}, fmt.Errorf("invalid arguments: %w", err)
	}
	var a Arguments
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch name {
		case "projectRoot":
		case "contains":
			if given[name].Kind() != '"' {
				return Arguments{}, errors.New("contains must be a string: a part of a project's path")
			}
			if err := json.Unmarshal(given[name], &a.Contains); err != nil {
				return Arguments{}, fmt.Errorf("invalid arguments: contains: %w", err)
			}
		default:
			return Arguments{}, fmt.Errorf("unknown argument %.64q: list-projects takes contains, a part of a project's path, or nothing", name)
		}
	}
	return a, nil
}

// Reply returns the text of a reply: those that answer first, by path. What
// does not fit is counted, and note says how to see it unless there is more to
// say.
func Reply(list []Project, a Arguments, note string) string {
	slices.SortFunc(list, func(x, y Project) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), strings.Compare(x.Host, y.Host), strings.Compare(x.ProjectRoot, y.ProjectRoot))
	})
	reply := struct {
		Projects []json.RawMessage `json:"projects"`
		Total    int               `json:"total"`
		Omitted  int               `json:"omitted,omitempty"`
		Note     string            `json:"note,omitempty"`
	}{Projects: []json.RawMessage{}, Total: len(list), Note: note}
	for size := 0; len(reply.Projects) < min(len(list), maxProjects); {
		text := encode(list[len(reply.Projects)])
		if size += len(text) + 1; size > maxBytes {
			break
		}
		reply.Projects = append(reply.Projects, text)
	}
	reply.Omitted = len(list) - len(reply.Projects)
	switch {
	case reply.Omitted > 0:
		reply.Note = strings.TrimSpace(note + " Pass contains, a part of a path, to list fewer.")
	case note != "":
	case len(list) == 0 && a.Contains != "":
		reply.Note = "No running project's path contains that; without contains all are listed."
	case len(list) == 0:
		reply.Note = "No project runs. A person starts one with: berth serve FOLDER"
	}
	return string(encode(reply))
}

func rank(p Project) int {
	if p.State == Live {
		return 0
	}
	return 1
}

// encode returns v as compact JSON with <, > and & as they are.
func encode(v any) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage(`{}`) // cannot happen: v holds strings and numbers
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}
