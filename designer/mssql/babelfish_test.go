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
	"github.com/berth-dev/berth/designer/sqltext"
)

// Babelfish is the engine on a Babelfish, a server that follows SQL Server in
// part. It changes nothing of what a plan does. It tells the names that were
// asked for where the server says what it made of them, says an ALTER COLUMN
// without the nullability, which that server does not take even where it stays
// as it is, and leaves out the calls that have views and functions read again:
// the server has none of them, and most plans do. What else the server lacks is
// for Lacking to say.
type Babelfish struct {
	Engine
	*names
}

// NewBabelfish returns the engine for the databases of one test.
func NewBabelfish() Babelfish {
	return Babelfish{names: &names{asked: map[*sql.DB]map[string]string{}, tied: map[string]bool{}}}
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
	return b.restore(db, def), err
}

// Verify implements [engine.Engine].
func (b Babelfish) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	return b.Engine.Verify(ctx, db, spoken(p), progress)
}

// Publish implements [engine.Engine].
func (b Babelfish) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	for _, s := range p.Steps {
		b.hear(db, s.Statement)
	}
	return b.Engine.Publish(ctx, db, spoken(p), from, progress)
}

// Load implements [engine.Engine].
func (b Babelfish) Load(ctx context.Context, db *sql.DB, script string) (designer.LoadResult, error) {
	for _, batch := range Batches(script) {
		b.hear(db, batch)
	}
	loaded, err := b.Engine.Load(ctx, db, script)
	loaded.Definition = b.restore(db, loaded.Definition)
	return loaded, err
}

// spoken is a plan in the server's words.
func spoken(p designer.Plan) designer.Plan {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		s := &p.Steps[i]
		switch {
		case altersColumn(*s):
			s.Statement, _ = nullable(s.Statement)
		case strings.HasPrefix(s.Statement, "EXEC sys.sp_refresh"):
			s.Statement = "SET NOCOUNT ON"
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

// names are those of tables, columns, indexes and constraints: as the server
// has them, mostly in small letters, an index's followed by its table's and a
// digest, cut where long; and, by database, as a plan asked for them last.
type names struct {
	mu    sync.Mutex
	asked map[*sql.DB]map[string]string
	// tied are the indexes, by their name and the table's, that the server
	// finds no more since their table was renamed.
	tied map[string]bool
}

// hear notes the names in a statement.
func (n *names) hear(db *sql.DB, statement string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := n.asked[db]
	if asked == nil {
		asked = map[string]string{}
		n.asked[db] = asked
	}
	tokens := significant(scan(statement))
	for _, kind := range []string{"VIEW", "PROCEDURE", "PROC", "FUNCTION", "TRIGGER"} {
		if len(tokens) > 1 && tokens[1].Is(kind) {
			return // its text spells the names of others as it likes
		}
	}
	for i, t := range tokens {
		switch {
		case t.Kind == sqltext.Quoted:
			asked[cut(strings.ToLower(t.Name))] = t.Name
		case t.Is("@newname") && i+2 < len(tokens):
			name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(tokens[i+2].Text, "N'"), "'"), "''", "'")
			asked[cut(strings.ToLower(name))] = name
		case t.Is("INDEX") && i+5 < len(tokens) && tokens[i+2].Is("ON"): // [schema].[table]
			name := tokens[i+1].Name
			asked[digested(name, tokens[i+5].Name)] = name
		}
	}
}

// restore gives a definition the names that were asked for, as far as they
// were heard or can be told from what the server has, and takes away what the
// server says of how it keeps keys, indexes and row versions: none is
// clustered, and it calls each filtered one padded.
func (n *names) restore(db *sql.DB, d designer.Definition) designer.Definition {
	n.mu.Lock()
	defer n.mu.Unlock()
	restore := func(name *string) {
		if asked, ok := n.asked[db][strings.ToLower(*name)]; ok {
			*name = asked
		}
	}
	for i := range d.Tables {
		t := &d.Tables[i]
		restore(&t.Name)
		for j := range t.Columns {
			c := &t.Columns[j]
			restore(&c.Name)
			if classOf(c.DataType) == classRowVersion {
				c.DefaultValue = ""
			}
		}
		for j := range t.Indexes {
			n.restoreIndex(t, &t.Indexes[j], restore)
		}
		if k := t.PrimaryKey; k != nil {
			restore(&k.Name)
			k.Options = nil
		}
		for j := range t.Checks {
			restore(&t.Checks[j].Name)
		}
		for j := range t.ForeignKeys {
			restore(&t.ForeignKeys[j].Name)
		}
	}
	return d
}

func (n *names) restoreIndex(t *designer.TableDefinition, x *designer.IndexDefinition, restore func(*string)) {
	stored := x.Name
	restore(&x.Name)
	if x.Name == stored {
		x.Name = undigested(stored)
		restore(&x.Name)
	}
	x.Options = nil
	if !x.Constraint && digested(x.Name, t.Name) != stored {
		n.tied[designer.Fold(x.Name+" "+t.Name)] = true
	}
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
