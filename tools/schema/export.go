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
	"github.com/berth-dev/berth/designer/markdown"
	"github.com/berth-dev/berth/designer/mermaid"
	"github.com/berth-dev/berth/designer/prisma"
	"github.com/berth-dev/berth/designer/session"
)

// The formats of export; import takes those that say all a design needs.
const (
	formatSQL      = "sql"  // a script that makes the whole design in an empty database
	formatPlan     = "plan" // the script that publish would run
	formatJSON     = "json" // a designer.Definition
	formatDBML     = "dbml"
	formatPrisma   = "prisma"
	formatMermaid  = "mermaid"
	formatMarkdown = "markdown" // a page of documentation
)

// extensions of the formats' files.
var extensions = map[string]string{formatSQL: ".sql", formatPlan: ".plan.sql", formatJSON: ".json",
	formatDBML: ".dbml", formatPrisma: ".prisma", formatMermaid: ".mmd", formatMarkdown: ".md"}

// exportReply says where the text lies; the text itself would fill the
// caller's context.
type exportReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Path   string   `json:"path"` // below the project's root, with forward slashes
	Bytes  int      `json:"bytes"`
	SHA256 string   `json:"sha256"`
	Notes  []string `json:"notes,omitzero"`
}

// export writes the design to a file below the project's root.
func (t *Tool) export(ctx context.Context, in *invocation) (any, *failure) {
	p := in.request.Payload
	if refused := checkFormat(p, in.request.Options); refused != nil {
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
	return &exportReply{Success: true, Version: version, databaseIdentity: in.identity(), Path: name,
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

func checkFormat(p payload, o requestOptions) *failure {
	if _, known := extensions[p.Format]; !known {
		return invalid("payload.format is sql, plan, dbml, prisma, mermaid, markdown or json, not %s", quote(p.Format))
	}
	if o.Owners && p.Format != formatSQL {
		return invalid("options.owners is for the format sql, not for %s", quote(p.Format))
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
			return "", "", nil, t.notMade(in, in.designer.Verify(ctx, db, p, nil))
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
	if in.request.Payload.Format != formatSQL {
		text, more, err := t.render(in, s)
		if err != nil {
			return "", "", nil, t.internal(in, err)
		}
		return text, version, slices.Concat(stale, notes, more), nil
	}
	text, more, refused := t.scripted(ctx, in, s, from)
	if refused != nil {
		return "", "", nil, refused
	}
	notes = slices.Concat(stale, notes, more)
	return header(from, s.Dialect(), notes) + text, version, notes, nil
}

// scripted writes the design as a script. Owners and rights are in it if the
// call asks for them, else among the notes.
func (t *Tool) scripted(ctx context.Context, in *invocation, s *designer.Schema, from *designer.Dialect) (string, []string, *failure) {
	if t.opts.Script == nil {
		return "", nil, t.internal(in, errors.New("no dialect can write scripts"))
	}
	p, err := t.opts.Script(s)
	if err != nil {
		return "", nil, t.notPlanned(in, err)
	}
	statements, notes, refused := t.rights(ctx, in, s.Dialect().Name == from.Name)
	if refused != nil {
		return "", nil, refused
	}
	for _, statement := range statements {
		p.Steps = append(p.Steps, designer.Step{Statement: statement, Comment: "rights"})
	}
	return p.Script(), slices.Concat(p.Notes, notes), nil
}

// ownedSource is a source that says who owns what.
type ownedSource interface {
	Rights(ctx context.Context) (designer.Rights, error)
}

// rights reads the owners and rights of the database, for a script of the same
// dialect: what the script says of them, and what it leaves out.
func (t *Tool) rights(ctx context.Context, in *invocation, same bool) (statements, notes []string, refused *failure) {
	wanted := in.request.Options.Owners
	if wanted && same && in.designer.Info().Sync != session.Synced {
		return nil, nil, invalid("the design has changes of its own, and owners and rights are the database's: publish them first, or undo them")
	}
	var found designer.Rights
	source, err := t.opts.Connections.Source(ctx, in.designer.ID())
	owned, is := source.(ownedSource)
	switch {
	case err != nil:
	case !is || !same:
		err = errors.ErrUnsupported
	default:
		found, err = owned.Rights(ctx)
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported) && !wanted:
		return nil, nil, nil
	case errors.Is(err, errors.ErrUnsupported):
		return nil, nil, invalid("options.owners is for the SQL of a PostgreSQL database in its own dialect")
	case err != nil && wanted:
		return nil, nil, t.internal(in, err)
	case err != nil:
		t.opts.Logger.Warn("rights not read", "error", err)
		return nil, []string{"Owners and rights are left out, and could not be counted: the database could not be read now."}, nil
	case wanted:
		return found.Statements(), found.Unsaid(), nil
	}
	return found.Closing(), found.LeftOut(), nil
}

// header says at the top of a script what is not as it was: all of it, for the
// reply is short.
func header(from, to *designer.Dialect, notes []string) string {
	var b strings.Builder
	switch {
	case from.Name != to.Name:
		fmt.Fprintf(&b, "-- A design of %s in the words of %s.\n", from.Title, to.Title)
	case len(notes) == 0:
		return ""
	}
	for _, n := range notes {
		b.WriteString("-- " + strings.Join(strings.Fields(n), " ") + "\n")
	}
	return b.String() + "\n"
}

// render writes the design in a format that is not SQL. The notes say what the
// format does not.
func (t *Tool) render(in *invocation, s *designer.Schema) (text string, notes []string, err error) {
	switch format := in.request.Payload.Format; format {
	case formatJSON:
		raw, err := json.MarshalIndent(s.Definition(), "", "  ")
		return string(raw) + "\n", nil, err
	case formatDBML:
		return dbml.Render(s), nil, nil
	case formatPrisma:
		text, notes = prisma.Render(s)
		return text, notes, nil
	case formatMermaid:
		return mermaid.Render(s), nil, nil
	case formatMarkdown:
		return markdown.Render(s, in.designer.Name()), nil, nil
	default:
		return "", nil, fmt.Errorf("format %q is not written here", format)
	}
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
