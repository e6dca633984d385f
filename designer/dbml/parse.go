package dbml

import (
	"fmt"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
)

// Limits of a file.
const (
	maxBytes        = 8 << 20
	maxParts        = 400_000 // columns, keys of indexes and checks of all tables, partials put in
	maxTableColumns = 4096
	maxValueBytes   = 8 << 20 // of enums, written out for each column that uses one
)

// Parse reads a file for a database of the dialect. Names without a schema are
// in its default schema, which DBML calls public. Enums become what the dialect
// has for them: a column's values, a type of their own, or a check. A type that
// the dialect does not know by its name is taken by its meaning where it is one
// of the usual ones (bool, uuid, json, …) and the file is not said to be for
// this dialect, else kept as it is. A referenced table need not be in the file:
// the caller knows whether it exists. Groups, sticky notes, views of a diagram,
// sample rows and anything else that a definition cannot hold are left out and
// listed in LeftOut.
//
// Errors are of type [*Error], but for a file that is too large or no text.
func Parse(text string, d *designer.Dialect) (designer.LoadResult, error) {
	if len(text) > maxBytes {
		return designer.LoadResult{}, fmt.Errorf("read DBML: the file has %d bytes: at most %d are read", len(text), maxBytes)
	}
	if !utf8.ValidString(text) {
		return designer.LoadResult{}, fmt.Errorf("read DBML: the file is not UTF-8 text")
	}
	def, err := parse(text, d)
	if err != nil {
		return designer.LoadResult{}, fmt.Errorf("read DBML: %w", err)
	}
	return def, nil
}

func parse(text string, d *designer.Dialect) (designer.LoadResult, error) {
	tokens, err := lex(text)
	if err != nil {
		return designer.LoadResult{}, err
	}
	p := &parser{tokens: tokens, file: &file{}}
	if err := p.program(); err != nil {
		return designer.LoadResult{}, err
	}
	if err := p.file.expand(); err != nil {
		return designer.LoadResult{}, err
	}
	loaded := p.file.loaded
	loaded.Definition, err = resolve(p.file, d)
	return loaded, err
}
