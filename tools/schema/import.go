package schema

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
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
		return nil, invalid("payload.path is required: a .sql, .dbml, .prisma or .json file below the project")
	}
	read, refused := t.imported(ctx, in)
	if refused != nil {
		return nil, refused
	}
	file, notes := read.LoadResult, read.Notes
	t.glance(ctx, in)
	left, refused := t.leftOut(in, file)
	if refused != nil {
		return nil, refused
	}
	im := session.Import{Definition: file.Definition, ExpectedVersion: p.ExpectedVersion,
		Origin: string(in.call.Origin), Client: clientName(in.call), Description: "Import " + importName(in), DryRun: in.request.Options.DryRun}
	if ask, refused := t.allowImport(ctx, in, im); ask != nil || refused != nil {
		return ask, refused
	}
	before := t.before(in, im.DryRun)
	out, err := in.designer.Import(ctx, im)
	if err != nil {
		return nil, t.internal(in, err)
	}
	if out.Err != nil {
		return nil, t.editRefused(in, out)
	}
	reply := receiptFor(in, out)
	reply.Receipt.AppliedEdits, reply.Receipt.ReadAs = &out.Applied, read.as.told()
	// What is left out comes first, so that no bound cuts it.
	reply.Receipt.Warnings = slices.Concat(left, reply.Receipt.Warnings, shortened(notes))
	t.card(ctx, in, before, out, reply.Receipt.Warnings)
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

// dialectOf is the design's dialect, with the types that its database has.
func (t *Tool) dialectOf(in *invocation) (d *designer.Dialect, refused *failure) {
	refused = t.view(in, func(s *designer.Schema) *failure { d = s.Dialect(); return nil })
	return d, refused
}
