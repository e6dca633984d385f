package discovery

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// Connection is one database that a file of the project names.
type Connection struct {
	Name    string // stable as long as the file names it: letters, digits, dots, dashes, underscores
	Dialect string // as package settings has it
	// Path is a SQLite file below the root, relative, with forward slashes. It
	// was there when it was found.
	Path     string
	ReadOnly bool            // SQLite: the address says so
	Server   settings.Server // the other dialects
	File     string          // where it was found, below the root, with forward slashes
	Line     int             // there
	// Listed: it stands in .devdbrc, where a person has listed it.
	Listed bool
}

// Origin is file and line.
func (c Connection) Origin() string { return fmt.Sprintf("%s:%d", c.File, c.Line) }

// Result is what a search found.
type Result struct {
	Connections []Connection // those of .devdbrc first, then by file and line
	Notes       []string     // what cannot be used and why, a sentence each
	// Folders are those in which a file counts, below the root, "." included:
	// what to watch for changes.
	Folders []string
}

// Bounds of a search.
const (
	maxBytes       = 256 << 10 // of a file
	maxFiles       = 200       // read
	maxConnections = 50
	maxNotes       = 50
)

// Find searches the project at root, an absolute path. The error is about the
// root alone: a file that cannot be read is a note.
func Find(ctx context.Context, root string) (Result, error) {
	dir, err := os.OpenRoot(filepath.Clean(root))
	if err != nil {
		return Result{}, fmt.Errorf("look for connections in %s: %w", root, err)
	}
	defer func() { _ = dir.Close() }() // only read from
	s := newSearch(dir)
	s.walk(ctx)
	for _, f := range s.files {
		if data, ok := s.data(f.name); ok {
			f.reader.read(s, file{name: f.name, data: data})
		}
	}
	return Result{Connections: s.connections(), Notes: s.notes, Folders: s.folders}, nil
}

// reader reads one kind of file.
type reader struct {
	kind    string                 // as people call these files
	matches func(name string) bool // name is below the root, with forward slashes
	read    func(s *search, f file)
}

// readers are in the order of their say: of two findings of one database the
// earlier reader's stands.
func readers() []reader {
	return []reader{
		{".devdbrc", isDevDBRC, readDevDBRC},
		{".env files", isEnvironment, readEnvironment},
		{"Rails' database.yml", isRails, readRails},
		{"Prisma schemas", isPrisma, readPrisma},
		{"Django settings", isDjango, readDjango},
		{"Spring's application files", isSpring, readSpring},
		{".NET's appsettings", isDotNet, readDotNet},
		{"Symfony's doctrine.yaml", isSymfony, readSymfony},
		{"Phoenix's config", isPhoenix, readPhoenix},
		{"wp-config.php", isWordPress, readWordPress},
		{"knexfiles", isKnex, readKnex},
		{"Sequelize's config", isSequelize, readSequelize},
		{"TypeORM's data sources", isTypeORM, readTypeORM},
		{"drizzle.config", isDrizzle, readDrizzle},
		{"alembic.ini", isAlembic, readAlembic},
		{"Flyway's settings", isFlyway, readFlyway},
		{"dbt's profiles.yml", isDBT, readDBT},
		{"Supabase's config.toml", isSupabase, readSupabase},
		{"Compose files", isCompose, readCompose},
	}
}

// Kinds lists the kinds of files that [Find] looks at, for people.
func Kinds() []string {
	var kinds []string
	for _, r := range readers() {
		kinds = append(kinds, r.kind)
	}
	return kinds
}

// file is one that a reader is given.
type file struct {
	name string // below the root, with forward slashes
	data []byte
}

// search is one run of [Find].
type search struct {
	root         *os.Root
	entries      int // files and folders to look at
	files        []match
	folders      []string
	environments map[string]environment // of .env files by folder, read when asked for
	services     []service              // databases of Compose that are published here
	candidates   []candidate
	notes        []string
}

func newSearch(root *os.Root) *search {
	return &search{root: root, entries: walkEntries, environments: map[string]environment{}}
}

// candidate is what a reader found.
type candidate struct {
	base    string // what it would be called were it the only one
	address settings.Address
	file    string
	line    int
	dir     string // where relative files are; "": beside file
	listed  bool
	rooted  bool // the file's first slash may be the URL's: see threeSlashes
}

// found takes a candidate if it can be used.
func (s *search) found(c candidate) {
	if len(s.candidates) == maxConnections {
		return
	}
	if c.address.Dialect == settings.DialectSQLite && !s.findFile(&c) {
		return
	}
	s.candidates = append(s.candidates, c)
}

// note says that something cannot be used. Format's values must be no values
// of the file but names.
func (s *search) note(f string, line int, format string, args ...any) {
	if len(s.notes) == maxNotes {
		return
	}
	place := f
	if line > 0 {
		place = fmt.Sprintf("%s:%d", f, line)
	}
	s.notes = append(s.notes, place+": "+fmt.Sprintf(format, args...))
}
