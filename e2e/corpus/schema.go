package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// dialects are those whose schemas can be tried; a SQL Server's would need a
// server.
var dialects = []string{"postgres", "mysql", "sqlite"}

// schema is one schema to try.
type schema struct {
	dialect string
	name    string
	files   []string // .sql files in the order to load them, or one SQLite database
}

// readSchema takes a file, or a folder of .sql files, as a schema.
func readSchema(dialect, path string) (schema, error) {
	name := filepath.Base(path)
	s := schema{dialect: dialect, name: strings.TrimSuffix(name, filepath.Ext(name)), files: []string{path}}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return s, err
	}
	s.name = name
	s.files, err = filepath.Glob(filepath.Join(path, "*"))
	if len(s.files) == 0 {
		return s, fmt.Errorf("no files in %s", path)
	}
	return s, err // Glob sorts
}

// named reports whether the schema is one of those asked for.
func (s schema) named(only string) bool {
	return len(s.files) > 0 && strings.Contains(s.dialect+"/"+s.name, only)
}

// isDatabase reports whether the schema is a SQLite database rather than SQL.
func (s schema) isDatabase() bool {
	ext := filepath.Ext(s.files[0])
	return s.dialect == "sqlite" && len(s.files) == 1 && ext != ".sql"
}
