package settings

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// keyStore is a mapping that is taken whole from one file.
const keyStore = "files.store"

// Store says that files of the project are the rows of a table.
type Store struct {
	Connection string // one of the settings
	Table      string // with or without its schema
	Project    string // the value of the project column of the rows; "": all rows
	Mount      string // the folder that they are below, with forward slashes; "": all of the project's files
	Columns    StoreColumns
}

// StoreColumns names the columns of a [Store]; "": the default.
type StoreColumns struct{ Path, Content, UpdatedAt, Project string }

// storeFields are the settings of a store.
func storeFields() []field[Store] {
	return []field[Store]{
		textField("connection", func(s *Store) *string { return &s.Connection }),
		textField("table", func(s *Store) *string { return &s.Table }),
		projectField(),
		textField("mount", func(s *Store) *string { return &s.Mount }),
		textField("columns.path", func(s *Store) *string { return &s.Columns.Path }),
		textField("columns.content", func(s *Store) *string { return &s.Columns.Content }),
		textField("columns.updatedAt", func(s *Store) *string { return &s.Columns.UpdatedAt }),
		textField("columns.project", func(s *Store) *string { return &s.Columns.Project }),
	}
}

// projectField takes text or a number, as such columns have.
func projectField() field[Store] {
	f := textField("project", func(s *Store) *string { return &s.Project })
	set := f.set
	f.set = func(s *Store, v scalar) error {
		if v.kind == kindInt {
			v.kind, v.text = kindText, fmt.Sprint(v.num)
		}
		return set(s, v)
	}
	return f
}

// store reads files.store.
func (f *ownFile) store(node ast.Node, at int) error {
	st := Store{}
	prefix := keyStore + "."
	origins := map[string]origin{}
	all := storeFields()
	var section func(node ast.Node, below string) error
	section = func(node ast.Node, below string) error {
		known := keysBelow(below, names(all))
		return f.mapping(node, prefix+below, func(key string, keyLine int, value ast.Node) error {
			for _, field := range all {
				if field.name == below+key {
					origins[prefix+field.name] = origin{f.level, f.file, keyLine}
					return set(f, &st, field, prefix+field.name, value, keyLine)
				}
			}
			if !contains(known, key) || strings.Contains(key, ".") {
				return f.fail(keyLine, prefix+below+key, "is not a setting of a store", didYouMean(key, known))
			}
			return section(value, below+key+".")
		})
	}
	if err := section(node, ""); err != nil {
		return err
	}
	if key, err := st.check(); err != nil {
		if o, ok := origins[prefix+key]; ok {
			at = o.line
		}
		return f.fail(at, prefix+key, err.Error(), "")
	}
	before := *f.s
	f.s.Files.Store = &st
	f.allow(storeRule(), before, at)
	if f.s.Files.Store == &st {
		f.s.forget(prefix)
		maps.Copy(f.s.origins, origins)
	}
	return nil
}

// check refuses what no store can be; of an error it returns the key.
func (st *Store) check() (key string, err error) {
	switch {
	case st.Connection == "":
		return "connection", errors.New("is missing: name the connection whose database has the table")
	case st.Table == "":
		return "table", errors.New("is missing: name the table whose rows are the files")
	case st.Project == "" && st.Columns.Project != "":
		return "columns.project", errors.New("names a column, and no project says which of its rows are the files")
	}
	st.Mount = strings.Trim(strings.TrimPrefix(st.Mount, "./"), "/")
	for part := range strings.SplitSeq(st.Mount, "/") {
		if st.Mount != "" && (part == "" || part == "." || part == ".." || strings.ContainsAny(part, "\\:\x00")) {
			return "mount", fmt.Errorf("must be a folder of the project such as game or src/game, not %s", shown(st.Mount))
		}
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, ".berth") {
			return "mount", fmt.Errorf("must not be in %s", part)
		}
	}
	return "", nil
}

// storeRule is the store as a setting that a file of the project may only ask
// for: agents write in a database by it.
func storeRule() field[Settings] {
	f := field[Settings]{name: keyStore, get: func(s *Settings) any { return s.Files.Store.words() }}
	return raised(f, func(users, asked *Settings) bool {
		return asked.Files.Store != nil && (users.Files.Store == nil || users.Files.Store.words() != asked.Files.Store.words())
	}, func(_, asked *Settings) string {
		return "has agents read and edit, as files, " + asked.Files.Store.words() + " (files.store)"
	})
}

// words are all of a store, in one line.
func (st *Store) words() string {
	if st == nil {
		return ""
	}
	list := []string{"the rows of table " + plain(st.Table) + " of the connection " + plain(st.Connection)}
	add := func(before, word string) {
		if word != "" {
			list = append(list, before+plain(word))
		}
	}
	add("project ", st.Project)
	add("below the folder ", st.Mount)
	add("path in column ", st.Columns.Path)
	add("content in column ", st.Columns.Content)
	add("time in column ", st.Columns.UpdatedAt)
	add("project in column ", st.Columns.Project)
	return strings.Join(list, ", ")
}

// checkStore refuses a store whose connection is not one of the settings, or
// of a dialect that keeps no files.
func (s *Settings) checkStore() error {
	st := s.Files.Store
	if st == nil {
		return nil
	}
	fail := func(problem, advice string) error {
		o := s.origins[keyStore+".connection"]
		return &FileError{File: o.file, Line: o.line, Key: keyStore + ".connection", Problem: problem, Advice: advice}
	}
	c, ok := s.Connection(st.Connection)
	if !ok {
		var known []string
		for _, c := range s.Connections {
			known = append(known, c.Name)
		}
		advice := "define it under connections"
		if len(known) > 0 {
			advice = didYouMean(st.Connection, known)
		}
		return fail("no connection is called "+shown(st.Connection), advice)
	}
	if c.Dialect != DialectPostgres && c.Dialect != DialectSQLite {
		return fail("connection "+shown(c.Name)+" is "+c.Dialect+": files are kept in PostgreSQL or SQLite", "")
	}
	return nil
}

// storeValues lists the store as a file spells it.
func (s *Settings) storeValues() []Value {
	var list []Value
	for _, f := range storeFields() {
		if st := s.Files.Store; st != nil && f.get(st) != "" {
			list = append(list, s.value(keyStore+"."+f.name, f.get(st), s.origins[keyStore+"."+f.name]))
		}
	}
	return list
}

// String is all of a store, in one line; of nil "none".
func (st *Store) String() string {
	if st == nil {
		return "none"
	}
	return st.words()
}
