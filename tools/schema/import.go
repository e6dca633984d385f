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
	"github.com/berth-dev/berth/designer/session"
)

// importFile takes the tables that a file defines into the design, as one
// batch of one undo step.
func (t *Tool) importFile(ctx context.Context, in *invocation) (any, *failure) {
	p := in.request.Payload
	if p.ExpectedVersion == "" {
		return nil, invalid("payload.expectedVersion is required: the version in your last reply")
	}
	if p.Path == "" && in.text == nil {
		return nil, invalid("payload.path is required: a .sql, .dbml or .json file below the project")
	}
	file, notes, refused := t.imported(ctx, in)
	if refused != nil {
		return nil, refused
	}
	t.glance(ctx, in)
	left, refused := t.leftOut(in, file)
	if refused != nil {
		return nil, refused
	}
	im := session.Import{Definition: file.Definition, ExpectedVersion: p.ExpectedVersion,
		Origin: string(in.call.Origin), Description: "Import " + importName(in), DryRun: in.request.Options.DryRun}
	if ask, refused := t.allowImport(ctx, in, im); ask != nil || refused != nil {
		return ask, refused
	}
	out, err := in.designer.Import(ctx, im)
	if err != nil {
		return nil, t.internal(in, err)
	}
	if out.Err != nil {
		return nil, t.editRefused(in, out)
	}
	reply := receiptFor(in, out)
	reply.Receipt.AppliedEdits = &out.Applied
	// What is left out comes first, so that no bound cuts it.
	reply.Receipt.Warnings = slices.Concat(left, reply.Receipt.Warnings, shortened(notes))
	return reply.fit(), nil
}

// leftOut says what of a file the design does not take over. Types that edits
// do not make have to be in the database where a table needs them.
func (t *Tool) leftOut(in *invocation, file designer.LoadResult) (notes []string, refused *failure) {
	refused = t.view(in, func(s *designer.Schema) *failure {
		for _, o := range file.Objects {
			if o.Kind == designer.ObjectType && !s.Dialect().EditsType(o) && !hasType(s.Dialect(), o) && usesType(file.Tables, o) {
				return invalid("the file has the type %s, which is a type of its own on %s and not there: make it there (%s), show the design again, then import",
					quote(o.Name), s.Dialect().Title, clip.Text(o.Definition, maxTarget))
			}
		}
		for _, l := range slices.Concat(s.NotImported(file.Definition), file.LeftOut) {
			notes = append(notes, l.String())
		}
		return nil
	})
	return shortened(notes), refused
}

// hasType reports whether a design's database has the type. One that is
// neither in the default schema nor in a common one goes by its full name.
func hasType(d *designer.Dialect, o designer.Object) bool {
	_, known := d.Type(o.Name)
	if !known && o.Schema != "" {
		_, known = d.Type(o.Schema + "." + o.Name)
	}
	return known
}

// usesType reports whether a column is of a type, or of a list of it.
func usesType(tables []designer.TableDefinition, o designer.Object) bool {
	return slices.ContainsFunc(tables, func(t designer.TableDefinition) bool {
		return slices.ContainsFunc(t.Columns, func(c designer.Column) bool {
			name := strings.TrimRight(c.DataType, "[]")
			return strings.EqualFold(name, o.Name) || strings.EqualFold(name, o.Schema+"."+o.Name)
		})
	})
}

// importName is what the history calls an import.
func importName(in *invocation) string {
	if in.text != nil {
		return "text"
	}
	return shortName(path.Base(in.request.Payload.Path))
}

// importText is what to import.
func (t *Tool) importText(in *invocation) (string, *failure) {
	if in.text == nil {
		return t.readFile(in.request.Payload.Path)
	}
	if len(*in.text) > maxImport {
		return "", invalid("the text is larger than %d MiB, the limit here: "+withoutRows, maxImport>>20)
	}
	return *in.text, nil
}

// imported reads the file as what it is. The notes say what was lost on the
// way from another dialect.
func (t *Tool) imported(ctx context.Context, in *invocation) (def designer.LoadResult, notes []string, refused *failure) {
	p := in.request.Payload
	text, refused := t.importText(in)
	if refused != nil {
		return def, nil, refused
	}
	format := p.Format
	if format == "" {
		format = strings.TrimPrefix(strings.ToLower(path.Ext(p.Path)), ".")
	}
	if p.Dialect != "" && p.Dialect != in.designer.Info().Dialect && format != formatJSON {
		return def, nil, invalid("a file of %s is read in the design's own dialect, %s: leave payload.dialect out, "+
			"or export the other design as json and import that", quote(format), in.designer.Info().Dialect)
	}
	switch format {
	case formatJSON:
		def.Definition, notes, refused = t.readDefinition(in, text)
		return def, notes, refused
	case formatSQL, "ddl":
		def, refused = t.loaded(ctx, in, text)
	case formatDBML:
		def, refused = t.parsed(in, text)
	default:
		refused = invalid("payload.format is sql, dbml or json, not %s", quote(format))
	}
	return def, nil, refused
}

// readDefinition reads a design as export writes it: of the design's own
// dialect, or of the one that the call names.
func (t *Tool) readDefinition(in *invocation, text string) (def designer.Definition, notes []string, refused *failure) {
	if err := jsonv2.Unmarshal([]byte(text), &def); err != nil {
		return def, nil, invalid("the file is not a design as export writes it: %s", valueProblem(err))
	}
	name := in.request.Payload.Dialect
	own, refused := t.dialectOf(in)
	if refused != nil || name == "" || name == own.Name {
		return def, nil, refused
	}
	from, refused := t.dialectNamed(name)
	if refused != nil {
		return def, nil, refused
	}
	s, err := designer.Build(from, def, nil)
	if err != nil {
		return def, nil, invalid("the file is not a design of %s: %s", from.Title, clip.Text(err.Error(), maxTarget))
	}
	def, notes, err = convert.Convert(s, own)
	if err != nil {
		return def, nil, t.internal(in, err)
	}
	return def, notes, nil
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

// dialectOf is the design's dialect, with the types that its database has.
func (t *Tool) dialectOf(in *invocation) (d *designer.Dialect, refused *failure) {
	refused = t.view(in, func(s *designer.Schema) *failure { d = s.Dialect(); return nil })
	return d, refused
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
