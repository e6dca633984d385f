package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
	"github.com/berth-dev/berth/designer/dbml"
	"github.com/berth-dev/berth/designer/mermaid"
)

// The formats of export; import takes those that say all a design needs.
const (
	formatSQL     = "sql"  // a script that makes the whole design in an empty database
	formatPlan    = "plan" // the script that publish would run
	formatJSON    = "json" // a designer.Definition
	formatDBML    = "dbml"
	formatMermaid = "mermaid"
)

// extensions of the formats' files.
var extensions = map[string]string{formatSQL: ".sql", formatPlan: ".plan.sql", formatJSON: ".json",
	formatDBML: ".dbml", formatMermaid: ".mmd"}

// exportReply says where the text lies; the text itself would fill the
// caller's context.
type exportReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	identity
	Path   string   `json:"path"` // below the project's root, with forward slashes
	Bytes  int      `json:"bytes"`
	SHA256 string   `json:"sha256"`
	Notes  []string `json:"notes,omitzero"`
}

// export writes the design to a file below the project's root.
func (t *Tool) export(ctx context.Context, in *invocation) (any, *failure) {
	p := in.request.Payload
	if refused := checkFormat(p); refused != nil {
		return nil, refused
	}
	extension := extensions[p.Format]
	text, version, notes, refused := t.exported(ctx, in)
	if refused != nil {
		return nil, refused
	}
	if text == "" {
		text = emptyText(p.Format)
	}
	name := p.Path
	if name == "" {
		if p.Dialect != "" {
			extension = "." + p.Dialect + extension // known by now
		}
		name = path.Join(".berth", "exports", fileName(in.designer.Name())+extension)
	}
	name, refused = t.writeFile(name, text, in.request.Options.Overwrite || p.Path == "")
	if refused != nil {
		return nil, refused
	}
	sum := sha256.Sum256([]byte(text))
	return &exportReply{Success: true, Version: version, identity: in.identity(), Path: name,
		Bytes: len(text), SHA256: hex.EncodeToString(sum[:]), Notes: shortened(notes)}, nil
}

// emptyText stands for a script, or a plan, without a statement: a file without
// a byte looks like an export that went wrong.
func emptyText(format string) string {
	if format == formatPlan {
		return "-- There is nothing to publish.\n"
	}
	return "-- The design is empty.\n"
}

func checkFormat(p payload) *failure {
	if _, known := extensions[p.Format]; !known {
		return invalid("payload.format is sql, plan, dbml, mermaid or json, not %s", quote(p.Format))
	}
	if p.Dialect != "" && p.Format != formatSQL {
		return invalid("payload.dialect is for the format sql, not for %s", quote(p.Format))
	}
	return nil
}

// exported renders the design.
func (t *Tool) exported(ctx context.Context, in *invocation) (text, version string, notes []string, refused *failure) {
	if in.request.Payload.Format == formatPlan {
		db, p, refused := t.proposed(ctx, in)
		if refused != nil {
			return "", "", nil, refused
		}
		if len(p.Plan.Steps) == 0 && len(p.Blocked) > 0 {
			return "", "", nil, t.notMade(in, in.designer.Verify(ctx, db, p))
		}
		rest := p.Plan // exactly what publish would run
		rest.Steps = rest.Steps[p.From:]
		return rest.Script(), p.Version, p.Notes(), nil
	}
	stale := t.upToDate(ctx, in)
	s, err := in.designer.Snapshot()
	if err != nil {
		return "", "", nil, t.internal(in, err)
	}
	version = s.Version()
	from := s.Dialect()
	if s, notes, refused = t.translated(in, s); refused != nil {
		return "", "", nil, refused
	}
	text, more, err := t.render(in.request.Payload.Format, s)
	if err != nil {
		return "", "", nil, t.notPlanned(in, err)
	}
	return header(from, s.Dialect(), notes) + text, version, slices.Concat(stale, notes, more), nil
}

// header says at the top of a script for another dialect what is not as it
// was: all of it, for the reply is short.
func header(from, to *designer.Dialect, notes []string) string {
	if from.Name == to.Name {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "-- A design of %s in the words of %s.\n", from.Title, to.Title)
	for _, n := range notes {
		b.WriteString("-- " + strings.Join(strings.Fields(n), " ") + "\n")
	}
	return b.String() + "\n"
}

// render writes the design in a format.
func (t *Tool) render(format string, s *designer.Schema) (text string, notes []string, err error) {
	switch format {
	case formatJSON:
		raw, err := json.MarshalIndent(s.Definition(), "", "  ")
		return string(raw) + "\n", nil, err
	case formatDBML:
		return dbml.Render(s), nil, nil
	case formatMermaid:
		return mermaid.Render(s), nil, nil
	}
	if t.opts.Script == nil {
		return "", nil, errors.New("no dialect can write scripts")
	}
	p, err := t.opts.Script(s)
	return p.Script(), p.Notes, err
}

// translated is the design in the dialect that the call names.
func (t *Tool) translated(in *invocation, s *designer.Schema) (*designer.Schema, []string, *failure) {
	name := in.request.Payload.Dialect
	if name == "" || name == s.Dialect().Name {
		return s, nil, nil
	}
	to, refused := t.dialectNamed(name)
	if refused != nil {
		return nil, nil, refused
	}
	def, notes, err := convert.Convert(s, to)
	if err != nil {
		return nil, nil, t.internal(in, err)
	}
	out, err := designer.Build(to, def, nil)
	if err != nil {
		return nil, nil, t.internal(in, err)
	}
	return out, notes, nil
}

// dialectNamed finds the dialect that a call names.
func (t *Tool) dialectNamed(name string) (*designer.Dialect, *failure) {
	if t.opts.Dialect != nil {
		if d := t.opts.Dialect(name); d != nil {
			return d, nil
		}
	}
	return nil, invalid("payload.dialect is sqlite, postgres, mysql or mssql, not %s", quote(name))
}

// fileName makes a connection's name one that files can have.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}
