package schema

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/convert"
	"github.com/berth-dev/berth/designer/dbml"
	"github.com/berth-dev/berth/designer/ddl"
	"github.com/berth-dev/berth/designer/guess"
	"github.com/berth-dev/berth/designer/prisma"
)

// importRead is what a text makes, and as what it was read.
type importRead struct {
	designer.LoadResult
	as readAs
}

// readAs is as what a text was read, and why.
type readAs struct {
	Format  string `json:"format"`
	Dialect string `json:"dialect,omitzero"` // whose SQL or types they are, where it is not the design's own
	Because string `json:"because,omitzero"` // the mark in the text that says so; "": the caller does, or nothing
	Line    int    `json:"line,omitzero"`    // of the mark
	// ByText says that no server read the SQL.
	ByText bool `json:"byText,omitzero"`
	own    bool // nothing that the caller could not know
}

// told returns what a reply says of it; nil if that is nothing.
func (r readAs) told() *readAs {
	if r.own && !r.ByText {
		return nil
	}
	return &r
}

// imported reads the text as what it is. Its notes say what was lost on the
// way.
func (t *Tool) imported(ctx context.Context, in *invocation) (read importRead, refused *failure) {
	text, refused := t.importText(in)
	if refused != nil {
		return read, refused
	}
	own, refused := t.dialectOf(in)
	if refused != nil {
		return read, refused
	}
	as, from, refused := t.kindOfText(in, text, own)
	if refused != nil {
		return read, refused
	}
	read.as = as
	switch as.Format {
	case formatJSON:
		read.LoadResult, refused = t.readDefinition(in, text, from, own)
	case formatDBML:
		read.LoadResult, refused = t.parsed(in, text)
	case formatPrisma:
		read.LoadResult, refused = t.readPrisma(in, text, from, own)
	default:
		read.LoadResult, read.as.ByText, refused = t.readSQL(ctx, in, text, from, own)
	}
	if refused != nil && as.Dialect != "" {
		refused.Message = clip.Text(refused.Message, maxMessage-100) + " (read as " + from.Title + "'s; payload.dialect says otherwise)"
	}
	return read, refused
}

// kindOfText says as what a text is read: as the caller says, else by the name
// of its file, else by its marks. from is the dialect that it is of.
func (t *Tool) kindOfText(in *invocation, text string, own *designer.Dialect) (as readAs, from *designer.Dialect, refused *failure) {
	p, seems := in.request.Payload, guess.Of(text)
	named := strings.TrimPrefix(strings.ToLower(path.Ext(p.Path)), ".")
	as.Format, as.own = p.Format, true
	if as.Format == "" {
		as.Format = named
	}
	if as.Format == "ddl" {
		as.Format = formatSQL
	}
	if as.Format == "" {
		as.Format, as.own = seems.Format, false
	}
	switch {
	case as.Format == "":
		return as, own, invalid("the text is none that is known: it is read as SQL, DBML, a Prisma schema or a design in JSON; payload.format says which")
	case !slices.Contains([]string{formatSQL, formatDBML, formatPrisma, formatJSON}, as.Format):
		return as, own, invalid("payload.format is sql, dbml, prisma or json, not %s", quote(as.Format))
	case as.Format == formatDBML && p.Dialect != "" && p.Dialect != own.Name:
		return as, own, invalid("a file of %s is read in the design's own dialect, %s: leave payload.dialect out, "+
			"or export the other design as json and import that", quote(as.Format), own.Name)
	}
	name := p.Dialect
	if name == "" && as.Format == formatSQL {
		name, as.Because, as.Line = seems.Dialect, seems.Because, seems.Line
	}
	if name == "" && as.Format == formatPrisma {
		name = prisma.Provider(text)
	}
	if from = own; name == "" || name == own.Name {
		as.Because, as.Line = "", 0
		return as, own, nil
	}
	from, refused = t.dialectNamed(name)
	as.Dialect, as.own = name, as.own && p.Dialect != ""
	return as, from, refused
}

// readSQL reads a script: the design's own server does if the script is of its
// dialect. byText says that none did.
func (t *Tool) readSQL(ctx context.Context, in *invocation, text string, from, own *designer.Dialect) (def designer.LoadResult, byText bool, refused *failure) {
	if from.Name == own.Name {
		db, refused := t.database(ctx, in)
		if refused != nil {
			return def, false, refused
		}
		if _, nowhere := triedOn(ctx, db); nowhere == nil {
			def, refused = t.loaded(ctx, in, text)
			return def, false, refused
		}
	}
	def, err := ddl.Read(text, from)
	if err != nil {
		return def, true, unreadText("SQL", err)
	}
	def, refused = t.converted(in, def, from, own)
	return def, true, refused
}

// readPrisma reads a Prisma schema as one for a database of the dialect from.
func (t *Tool) readPrisma(in *invocation, text string, from, own *designer.Dialect) (designer.LoadResult, *failure) {
	def, err := prisma.Parse(text, from)
	if err != nil {
		return def, unreadText("Prisma", err)
	}
	return t.converted(in, def, from, own)
}

// converted takes what a text makes into the design's own dialect. Its notes
// stay, and those of what is lost on the way follow.
func (t *Tool) converted(in *invocation, def designer.LoadResult, from, own *designer.Dialect) (designer.LoadResult, *failure) {
	if from.Name == own.Name {
		return def, nil
	}
	s, err := designer.Build(from, def.Definition, nil)
	if err != nil {
		return def, invalid("the text is not a design of %s: %s", from.Title, clip.Text(err.Error(), maxTarget))
	}
	other, notes, err := convert.Convert(s, own)
	if err != nil {
		return def, t.internal(in, err)
	}
	def.Definition, def.Notes = other, slices.Concat(def.Notes, notes)
	return def, nil
}

// readDefinition reads a design as export writes it: of the design's own
// dialect, or of the one that the call names.
func (t *Tool) readDefinition(in *invocation, text string, from, own *designer.Dialect) (def designer.LoadResult, refused *failure) {
	if err := jsonv2.Unmarshal([]byte(text), &def.Definition); err != nil {
		return def, invalid("the file is not a design as export writes it: %s", valueProblem(err))
	}
	return t.converted(in, def, from, own)
}

// parsed reads DBML over the design: what DBML cannot express stays.
func (t *Tool) parsed(in *invocation, text string) (def designer.LoadResult, refused *failure) {
	var err error
	if refused := t.view(in, func(s *designer.Schema) *failure { def, err = dbml.ParseOver(text, s); return nil }); refused != nil {
		return def, refused
	}
	var place *dbml.Error
	if errors.As(err, &place) {
		at := designer.ErrorOnLine(text, place.Line, errors.New(place.Message))
		at.Column = place.Column
		err = at
	}
	return def, unreadText("DBML", err)
}

// unreadText words why a text cannot be read as what it was taken for; nil for
// no error.
func unreadText(as string, err error) *failure {
	if err == nil {
		return nil
	}
	f := textRefused(err)
	if f == nil {
		f = invalid("%s", clip.Text(strings.TrimPrefix(err.Error(), "read "+as+": "), maxTarget))
	}
	f.Message = "the file cannot be read as " + as + ": " + f.Message
	return f
}

// loaded has the connection's own server read a script of DDL, in a scratch
// database that is dropped again.
func (t *Tool) loaded(ctx context.Context, in *invocation, script string) (designer.LoadResult, *failure) {
	db, refused := t.database(ctx, in)
	if refused != nil {
		return designer.LoadResult{}, refused
	}
	def, err := db.Load(ctx, script)
	if refused := textRefused(err); refused != nil {
		return def, refused
	}
	if err != nil {
		return def, t.unreadable(in, ConnectionInfo{Name: in.designer.Name()}, err)
	}
	return def, nil
}

// textRefused words an error of the text itself, with its place; nil for any
// other error.
func textRefused(err error) *failure {
	var place *designer.ScriptError
	if !errors.As(err, &place) {
		return nil
	}
	f := &failure{Reason: designer.InvalidRequest, Message: clip.Text(place.Error(), maxMessage),
		Place: &textPlace{Line: place.Line, Column: place.Column, Excerpt: place.Excerpt()}}
	if place.Server {
		f.Reason = designer.DatabaseRefused
	}
	return f
}
