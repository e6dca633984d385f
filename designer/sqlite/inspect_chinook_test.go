package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// chinookTables is a small copy of the structure of a well-known sample.
const chinookTables = `
CREATE TABLE [Artist] ([ArtistId] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, [Name] NVARCHAR(120));
CREATE TABLE [Album] ([AlbumId] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, [Title] NVARCHAR(160)  NOT NULL,
    [ArtistId] INTEGER  NOT NULL,
    FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) 
		ON DELETE NO ACTION ON UPDATE NO ACTION
);
CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);`

func TestInspectReadsChinook(t *testing.T) {
	script, tables := chinookTables, 2
	if dir := os.Getenv("BERTH_TEST_DATA"); dir != "" {
		text, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_Sqlite_AutoIncrementPKs.sql"))
		require.NoError(t, err)
		script, tables = string(text), 11
	}
	def, err := Inspect(context.Background(), open(t, script))
	require.NoError(t, err)
	require.Len(t, def.Tables, tables)
	assert.Equal(t, designer.TableDefinition{
		Schema: "main", Name: "Album",
		Columns: []designer.Column{
			{Name: "AlbumId", DataType: "INTEGER", IsIdentity: true, IdentitySeed: 1, IdentityIncrement: 1},
			{Name: "Title", DataType: "NVARCHAR", MaxLength: "160"},
			{Name: "ArtistId", DataType: "INTEGER"},
		},
		PrimaryKey: &designer.KeyDefinition{Columns: []string{"AlbumId"}},
		ForeignKeys: []designer.ForeignKeyDefinition{{
			ReferencedTable: designer.TableRef{Schema: "main", Name: "Artist"},
			Mappings:        []designer.NameMapping{{Column: "ArtistId", ReferencedColumn: "ArtistId"}},
			OnDelete:        designer.NoAction, OnUpdate: designer.NoAction,
		}},
		Indexes: []designer.IndexDefinition{{Name: "IFK_AlbumArtistId", Parts: []designer.IndexKeyDefinition{{Column: "ArtistId"}}}},
	}, def.Tables[0])
}
