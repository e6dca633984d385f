package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// trial is one schema being tried.
type trial struct {
	settings
	schema
	dir     string
	main    database // as the files make it
	copy    database // as berth's export makes it
	project *project
	version string   // of the design as it was read
	notes   []string // of the export that the copy is made from
	owners  bool     // exports have them
	tables  []tableName
	result  *result
}

type tableName struct{ schema, name string }

// steps of a trial in their order; the names are the table's columns.
var steps = []struct {
	name string
	do   func(*trial, context.Context) (outcome, error)
}{
	{"load", (*trial).load},
	{"read", (*trial).read},
	{"export→load", (*trial).exportAndLoad},
	{"version", (*trial).sameVersion},
	{"dump", (*trial).sameDump},
	{"own sql", selfImport("sql")},
	{"own dbml", selfImport("dbml")},
	{"own json", selfImport("json")},
	{"→postgres", target("postgres")},
	{"→mysql", target("mysql")},
	{"→sqlite", target("sqlite")},
	{"→mssql", target("mssql")},
	{"edits", (*trial).walk}, // the last: it changes the database
}

// try takes one schema through the steps. What a step cannot do is its
// outcome; the next are tried all the same.
func try(ctx context.Context, s settings, one schema, dir string) (r result) {
	r = result{name: one.dialect + "/" + one.name, outcomes: make([]outcome, len(steps))}
	t := &trial{settings: s, schema: one, dir: dir, result: &r}
	defer t.end()
	if err := t.begin(ctx); err != nil {
		r.outcomes[0] = failed(err)
		return r
	}
	for i, step := range steps {
		o, err := step.do(t, ctx)
		if err != nil {
			o = failed(err)
		}
		r.outcomes[i] = o
		if ctx.Err() != nil || i < 2 && o.fatal {
			break
		}
	}
	return r
}

func (t *trial) begin(ctx context.Context) (err error) {
	root := filepath.Join(t.dir, "project")
	if t.main, err = create(ctx, t.dialect, root); err != nil {
		return err
	}
	if t.copy, err = create(ctx, t.dialect, root); err != nil {
		return err
	}
	t.project, err = newProject(ctx, t.berth, t.dir, map[string]database{"main": t.main, "copy": t.copy})
	return err
}

func (t *trial) end() {
	if t.project != nil && t.project.stdin != nil {
		t.project.stop()
	}
	for _, db := range []database{t.main, t.copy} {
		if db == nil {
			continue
		}
		if err := db.drop(); err != nil {
			t.result.left = append(t.result.left, err.Error())
		}
	}
	_ = os.RemoveAll(t.dir)
}

func (t *trial) load(ctx context.Context) (outcome, error) {
	refused, err := fill(ctx, t.main, t.schema)
	return counted(refused, "errors"), err
}

func (t *trial) read(ctx context.Context) (outcome, error) {
	r, err := t.project.call(ctx, "show", "main", nil, nil)
	if err != nil || !r.Success {
		return outcome{short: "refused", details: []string{r.problem()}, wrong: true, fatal: true}, err
	}
	t.version = r.Version
	for offset := 0; ; {
		r, err := t.project.call(ctx, "get_overview", "", nil, object{"offset": offset, "includeColumns": "none"})
		if err != nil {
			return outcome{}, err
		}
		for _, one := range r.Overview.Tables {
			t.tables = append(t.tables, tableName{one.Schema, one.Name})
		}
		if offset = r.Overview.NextOffset; offset == 0 {
			break
		}
	}
	return outcome{short: fmt.Sprintf("%d tables", len(t.tables))}, nil
}

// export writes the design into a file of the project and returns its path.
func (t *trial) export(ctx context.Context, format, dialect string) (path string, r reply, err error) {
	payload := object{"format": format, "path": "export-" + format + dialect + extension(format)}
	if dialect != "" && dialect != t.dialect {
		payload["dialect"] = dialect
	}
	options := object{"overwrite": true}
	if t.owners {
		options["owners"] = true
	}
	r, err = t.project.call(ctx, "export", "", payload, options)
	return filepath.Join(t.project.root, filepath.FromSlash(r.Path)), r, err
}

func extension(format string) string { return "." + strings.TrimPrefix(format, ".") }

// exportAndLoad makes a copy from the export. What the export says that it
// leaves out is among the details.
func (t *trial) exportAndLoad(ctx context.Context) (outcome, error) {
	t.owners = t.dialect == "postgres"
	path, r, err := t.export(ctx, "sql", "")
	t.owners = false
	if err != nil {
		return outcome{}, err
	}
	if !r.Success {
		return outcome{short: "refused", details: []string{r.problem()}, wrong: true}, nil
	}
	refused, err := t.copy.load(ctx, path)
	o := counted(refused, "errors")
	t.notes = r.Notes
	for _, note := range r.Notes {
		o.details = append(o.details, "note: "+note)
	}
	if len(r.Notes) > 0 {
		o.short += fmt.Sprintf(", %d notes", len(r.Notes))
	}
	return o, err
}

// sameVersion reports whether berth reads the copy as it reads the original.
func (t *trial) sameVersion(ctx context.Context) (outcome, error) {
	r, err := t.project.call(ctx, "show", "copy", nil, nil)
	if err != nil {
		return outcome{}, err
	}
	if back, err := t.project.call(ctx, "show", "main", nil, nil); err != nil || !back.Success {
		return outcome{}, errors.Join(err, errors.New(back.problem()))
	}
	if !r.Success {
		return outcome{short: "refused", details: []string{r.problem()}, wrong: true}, nil
	}
	if t.dialect == "mysql" || r.Version == t.version {
		return outcome{short: same(r.Version == t.version, t.dialect)}, nil
	}
	return outcome{short: "another", wrong: true}, nil
}

// same words a comparison; on MySQL the schema is the database, whose name
// differs, so that versions say nothing there.
func same(equal bool, dialect string) string {
	if !equal && dialect == "mysql" {
		return "–"
	}
	return "same"
}

// sameDump compares what the server's own program says of both.
func (t *trial) sameDump(ctx context.Context) (outcome, error) {
	original, err := t.main.dump(ctx)
	if err != nil || original == nil {
		return outcome{short: "–"}, err
	}
	made, err := t.copy.dump(ctx)
	if err != nil {
		return outcome{}, err
	}
	differs := missing(original, made)
	if again, is := t.main.(interface {
		redump(ctx context.Context) ([]string, error)
	}); is && len(differs) > 0 {
		list, err := again.redump(ctx)
		if err != nil {
			return outcome{}, err
		}
		own := missing(original, list)
		differs = slices.DeleteFunc(differs, func(d string) bool { return slices.Contains(own, d) })
	}
	differs, named := unnamed(differs, t.notes)
	if len(differs) == 0 {
		return outcome{short: "same" + named}, nil
	}
	less := 0
	for _, d := range differs {
		if strings.HasPrefix(d, "- ") {
			less++
		}
	}
	return outcome{short: fmt.Sprintf("-%d +%d", less, len(differs)-less), details: differs, wrong: true}, nil
}

// unnamed drops the differences that a note of the export is about, and counts
// them in words.
func unnamed(differs, notes []string) (rest []string, named string) {
	rest = slices.DeleteFunc(slices.Clone(differs), func(d string) bool {
		return slices.ContainsFunc(notes, func(note string) bool {
			kind := leftOutKind.FindStringSubmatch(note)
			return kind != nil && strings.HasPrefix(d, "- CREATE "+strings.ToUpper(kind[1])+" ")
		})
	})
	if n := len(differs) - len(rest); n > 0 {
		named = fmt.Sprintf(" but %d named", n)
	}
	return rest, named
}

var leftOutKind = regexp.MustCompile(`^The (user mapping|subscription|type|routine|view) .*is left out`)

// target makes a step of the export for another dialect.
func target(dialect string) func(*trial, context.Context) (outcome, error) {
	return func(t *trial, ctx context.Context) (outcome, error) {
		if dialect == t.dialect {
			return outcome{short: "–"}, nil
		}
		path, r, err := t.export(ctx, "sql", dialect)
		if err != nil || !r.Success {
			return outcome{short: "refused", details: []string{r.problem()}, wrong: true}, err
		}
		var refused []string
		if dialect == "mssql" {
			refused, err = parseTSQL(ctx, path)
		} else {
			refused, err = t.loadElsewhere(ctx, dialect, path)
		}
		return counted(refused, "errors"), err
	}
}

func (t *trial) loadElsewhere(ctx context.Context, dialect, path string) (refused []string, err error) {
	db, err := create(ctx, dialect, filepath.Join(t.dir, dialect))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.drop()) }()
	return db.load(ctx, path)
}

// selfImport makes a step of berth's own, unchanged export imported over the
// design: nothing must be left to publish.
func selfImport(format string) func(*trial, context.Context) (outcome, error) {
	return func(t *trial, ctx context.Context) (outcome, error) {
		path, r, err := t.export(ctx, format, "")
		if err != nil || !r.Success {
			return outcome{short: "refused", details: []string{r.problem()}, wrong: true}, err
		}
		r, err = t.project.call(ctx, "import", "", object{"path": filepath.Base(path), "expectedVersion": t.version}, nil)
		if err != nil || !r.Success {
			return outcome{short: "refused", details: []string{r.problem()}, wrong: true}, err
		}
		changes, err := t.project.call(ctx, "get_changes", "", nil, nil)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{short: "empty"}
		switch n := max(len(changes.Changes), changes.Total); {
		case !changes.Success:
			o = outcome{short: "no diff", details: []string{changes.problem()}, wrong: true}
		case n > 0:
			o = outcome{short: fmt.Sprintf("%d changes", n), details: texts(changes.Changes), wrong: true}
		}
		o.details = slices.Concat(o.details, r.Receipt.Warnings)
		return o, t.takeBack(ctx)
	}
}

func texts(list []json.RawMessage) []string {
	out := make([]string, len(list))
	for i, raw := range list {
		out[i] = string(raw)
	}
	return out
}

// takeBack undoes everything, so that the next step finds what was read.
func (t *trial) takeBack(ctx context.Context) error {
	for range 50 {
		r, err := t.project.call(ctx, "get_overview", "", nil, object{"limit": 1})
		if err != nil {
			return err
		}
		if r.Version == t.version {
			return nil
		}
		if r, err = t.project.call(ctx, "undo", "", object{"batch": true}, nil); err != nil || !r.Success {
			return errors.Join(err, fmt.Errorf("undo: %s", r.problem()))
		}
	}
	return errors.New("undo did not lead back to what was read")
}
