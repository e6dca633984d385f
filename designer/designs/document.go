package designs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// format is the version of the files' form.
const format = 1

// maxBytes bounds a file that is read.
const maxBytes = 64 << 20

// document is the content of a file: a head that describes it, and the design's
// tables and types. Other objects of the database are not part of a design. It has
// neither a version nor a time: every change would modify that line, so that
// branches could not be merged.
type document struct {
	Format     int                        `json:"format"`
	Dialect    string                     `json:"dialect"`
	Connection string                     `json:"connection"`
	Types      []typeDefinition           `json:"types,omitempty"` // none: the file says nothing of types
	Tables     []designer.TableDefinition `json:"tables"`
}

// typeDefinition is a [designer.NamedType] by names.
type typeDefinition struct {
	Schema  string           `json:"schema,omitempty"` // "": the default schema
	Name    string           `json:"name"`
	Values  []string         `json:"values,omitempty"` // of an enum
	Domain  *designer.Domain `json:"domain,omitempty"`
	Comment string           `json:"comment,omitempty"`
}

func (t typeDefinition) object() designer.Object {
	return designer.Object{Kind: designer.ObjectType, Schema: t.Schema, Name: t.Name, Values: t.Values, Domain: t.Domain, Comment: t.Comment}
}

// encode returns the content of a design's file: sorted, one property per line.
// The default schema is left out, so that the file does not depend on the
// database's name.
func encode(s *designer.Schema, connection string) ([]byte, error) {
	doc := document{Format: format, Dialect: s.Dialect().Name, Connection: connection, Tables: s.Definition().Tables}
	for _, t := range s.NamedTypes() {
		d := typeDefinition{Schema: t.Schema, Name: t.Name, Values: t.ValueNames(), Domain: t.Domain, Comment: t.Comment}
		if d.Schema == s.DefaultSchema() {
			d.Schema = ""
		}
		doc.Types = append(doc.Types, d)
	}
	for i := range doc.Tables {
		t := &doc.Tables[i]
		if t.Schema == s.DefaultSchema() {
			t.Schema = ""
		}
		if t.Columns == nil {
			t.Columns = []designer.Column{}
		}
		for j := range t.ForeignKeys {
			if ref := &t.ForeignKeys[j].ReferencedTable; ref.Schema == s.DefaultSchema() {
				ref.Schema = ""
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return nil, fmt.Errorf("encode design: %w", err)
	}
	return b.Bytes(), nil
}

// parse parses a file as far as that is possible without its design. The error
// says what is wrong and where.
func parse(text []byte) (doc document, err error) {
	if err := jsonv2.Unmarshal(text, &doc, jsonv2.RejectUnknownMembers(true)); err != nil {
		return doc, syntax(text, err)
	}
	switch {
	case doc.Format != format:
		return doc, fmt.Errorf("format is %d: this berth reads %d", doc.Format, format)
	case doc.Tables == nil:
		return doc, errors.New("tables is missing: give [] for a design without tables")
	}
	return doc, nil
}

// decode reads the file of a connection's design.
func decode(text []byte, dialect, connection string) (designer.Definition, error) {
	doc, err := parse(text)
	switch {
	case err != nil:
		return designer.Definition{}, err
	case doc.Dialect != dialect:
		return designer.Definition{}, fmt.Errorf("dialect is %q and the connection's is %q: export the design for %s instead", excerpt(doc.Dialect), dialect, dialect)
	case doc.Connection != connection:
		return designer.Definition{}, fmt.Errorf("connection is %q: the file's name says %q", excerpt(doc.Connection), connection)
	}
	return doc.definition(), nil
}

func (doc document) definition() designer.Definition {
	def := designer.Definition{Tables: doc.Tables}
	for _, t := range doc.Types {
		def.Objects = append(def.Objects, t.object())
	}
	return def
}

// syntax returns the error for a malformed file, with the line.
func syntax(text []byte, err error) error {
	if at := bytes.Index(text, []byte("<<<<<<< ")); at >= 0 {
		return fmt.Errorf("line %d: git could not merge the file: settle the conflict", lineAt(text, at))
	}
	var wrong *jsontext.SyntacticError
	var unfit *jsonv2.SemanticError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("line %d: %s", lineAt(text, int(wrong.ByteOffset)), excerpt(wrong.Err.Error()))
	case errors.As(err, &unfit) && unfit.Err != nil:
		return fmt.Errorf("line %d: %s: %s", lineAt(text, int(unfit.ByteOffset)), excerpt(string(unfit.JSONPointer)), excerpt(unfit.Err.Error()))
	case errors.As(err, &unfit):
		return fmt.Errorf("line %d: %s does not hold a JSON %s", lineAt(text, int(unfit.ByteOffset)), excerpt(string(unfit.JSONPointer)), unfit.JSONKind)
	}
	return errors.New(excerpt(err.Error()))
}

func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), len(text))], []byte("\n"))
}

// maxExcerpt bounds text of others in a message, in bytes.
const maxExcerpt = 100

// excerpt is text of others as messages repeat it.
func excerpt(s string) string { return clip.Text(s, maxExcerpt) }
