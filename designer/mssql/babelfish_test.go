package mssql

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Babelfish is the engine on a Babelfish, a server that follows SQL Server in
// part. It changes nothing of what a plan does. It takes off what that server
// adds to the names of indexes and constraints, and says an ALTER COLUMN
// without the nullability, which that server does not take even where it stays
// as it is. What else the server lacks is for [Lacking] to say.
type Babelfish struct{ Engine }

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
	return asAsked(def), err
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
func (b Babelfish) Load(ctx context.Context, db *sql.DB, script string) (designer.Loaded, error) {
	loaded, err := b.Engine.Load(ctx, db, script)
	loaded.Definition = asAsked(loaded.Definition)
	return loaded, err
}

// asAsked is a definition with the names that were asked for, and without what
// the server says of how it keeps keys and indexes: none is clustered, and it
// calls each filtered one padded.
func asAsked(d designer.Definition) designer.Definition {
	for i := range d.Tables {
		t := &d.Tables[i]
		for j := range t.Indexes {
			t.Indexes[j].Name, t.Indexes[j].Options = undigested(t.Indexes[j].Name), nil
		}
		if t.PrimaryKey != nil {
			t.PrimaryKey.Options = nil
		}
	}
	return d
}

// undigested is an index's name as it was asked for: the server adds the
// table's name and the MD5 of the index's.
func undigested(name string) string {
	if len(name) < 2*md5.Size {
		return name
	}
	head, sum := name[:len(name)-2*md5.Size], name[len(name)-2*md5.Size:]
	for i := range len(head) + 1 {
		if of := md5.Sum([]byte(head[:i])); hex.EncodeToString(of[:]) == sum {
			return head[:i]
		}
	}
	return name
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
