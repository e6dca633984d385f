package mssql

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Babelfish is the engine on a Babelfish, a server that follows SQL Server in
// part. It changes nothing of what a plan does. It tells the names that were
// asked for where the server says what it made of them, and says an ALTER
// COLUMN without the nullability, which that server does not take even where
// it stays as it is. What else the server lacks is for Lacking to say.
type Babelfish struct {
	Engine
	*names
}

// NewBabelfish returns the engine for the databases of one test.
func NewBabelfish() Babelfish {
	return Babelfish{names: &names{asked: map[string]string{}, tied: map[string]bool{}}}
}

var _ engine.Engine = Babelfish{}

// IsBabelfish asks the server.
func IsBabelfish(ctx context.Context, db *sql.DB) (bool, error) {
	var version string
	err := db.QueryRowContext(ctx, "SELECT @@VERSION").Scan(&version)
	return strings.Contains(version, "Babelfish"), err
}

// Inspect implements [engine.Engine].
func (b Babelfish) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	def, err := b.Engine.Inspect(ctx, db)
	return b.restore(def), err
}

// Plan implements [engine.Engine].
func (b Babelfish) Plan(d *designer.Diff) (designer.Plan, error) {
	p, err := b.Engine.Plan(d)
	b.hear(p)
	return p, err
}

// Script implements [engine.Engine].
func (b Babelfish) Script(s *designer.Schema) (designer.Plan, error) {
	p, err := b.Engine.Script(s)
	b.hear(p)
	return p, err
}

// Verify implements [engine.Engine].
func (b Babelfish) Verify(ctx context.Context, db *sql.DB, p designer.Plan) error {
	return b.Engine.Verify(ctx, db, spoken(p))
}

// Publish implements [engine.Engine].
func (b Babelfish) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	return b.Engine.Publish(ctx, db, spoken(p), from, progress)
}

// Load implements [engine.Engine].
func (b Babelfish) Load(ctx context.Context, db *sql.DB, script string) (designer.Definition, error) {
	def, err := b.Engine.Load(ctx, db, script)
	return b.restore(def), err
}

// spoken is a plan in the server's words.
func spoken(p designer.Plan) designer.Plan {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if altersColumn(p.Steps[i]) {
			p.Steps[i].Statement, _ = nullable(p.Steps[i].Statement)
		}
	}
	return p
}

func altersColumn(s designer.Step) bool {
	return strings.HasPrefix(s.Statement, "ALTER TABLE ") && strings.Contains(s.Statement, " ALTER COLUMN ")
}

// nullable takes the nullability off an ALTER COLUMN.
func nullable(statement string) (rest string, is bool) {
	if rest, never := strings.CutSuffix(statement, " NOT NULL"); never {
		return rest, false
	}
	return strings.CutSuffix(statement, " NULL")
}

// names are those of indexes and constraints: as the server has them, all in
// small letters, an index's followed by its table's and a digest, cut where
// long; and as they were asked for.
type names struct {
	mu    sync.Mutex
	asked map[string]string
	// tied are the indexes, by their name and the table's, that the server
	// finds no more since their table was renamed.
	tied map[string]bool
}

// hear notes the names that a plan asks for.
func (n *names) hear(p designer.Plan) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range p.Steps {
		tokens := significant(lex(s.Statement))
		for i := 0; i+1 < len(tokens); i++ {
			name := named(tokens[i+1].text)
			switch {
			case tokens[i].is("CONSTRAINT"):
				n.asked[cut(strings.ToLower(name))] = name
			case tokens[i].is("INDEX") && i+5 < len(tokens) && tokens[i+2].is("ON"): // [schema].[table]
				n.asked[digested(name, named(tokens[i+5].text))] = name
			}
		}
	}
}

// named is an identifier without its brackets.
func named(text string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), "]]", "]")
}

// restore gives a definition the names that were asked for, as far as they
// were heard or can be told from what the server has, and takes away what the
// server says of how it keeps keys, indexes and row versions: none is
// clustered, and it calls each filtered one padded.
func (n *names) restore(d designer.Definition) designer.Definition {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range d.Tables {
		t := &d.Tables[i]
		for j := range t.Columns {
			if c := &t.Columns[j]; classOf(c.DataType) == classRowVersion {
				c.DefaultValue = ""
			}
		}
		for j := range t.Indexes {
			x := &t.Indexes[j]
			x.Options = nil
			stored := x.Name
			x.Name = n.heard(stored, undigested(stored))
			if !x.Constraint && digested(x.Name, t.Name) != stored {
				n.tied[designer.Fold(x.Name+" "+t.Name)] = true
			}
		}
		if k := t.PrimaryKey; k != nil {
			k.Name, k.Options = n.heard(k.Name, k.Name), nil
		}
		for j := range t.Checks {
			t.Checks[j].Name = n.heard(t.Checks[j].Name, t.Checks[j].Name)
		}
		for j := range t.ForeignKeys {
			t.ForeignKeys[j].Name = n.heard(t.ForeignKeys[j].Name, t.ForeignKeys[j].Name)
		}
	}
	return d
}

func (n *names) heard(stored, otherwise string) string {
	if name, ok := n.asked[stored]; ok {
		return name
	}
	return otherwise
}

// digested is what the server makes of an index's name.
func digested(name, table string) string {
	name = strings.ToLower(name)
	return cut(name + strings.ToLower(table) + digest(name))
}

// undigested is an index's name as it was asked for, where it is whole.
func undigested(stored string) string {
	if len(stored) > 2*md5.Size {
		head, sum := stored[:len(stored)-2*md5.Size], stored[len(stored)-2*md5.Size:]
		for i := range len(head) + 1 {
			if digest(head[:i]) == sum {
				return head[:i]
			}
		}
	}
	return stored
}

// cut shortens a name as the server does one of more than 63 bytes.
func cut(name string) string {
	const longest = 63
	if len(name) <= longest {
		return name
	}
	head := name[:longest-2*md5.Size]
	return strings.ToValidUTF8(head, "") + digest(name)
}

func digest(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}
