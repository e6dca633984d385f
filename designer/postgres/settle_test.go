package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatNoLongerMeansAnythingGoesWithAnEdit(t *testing.T) {
	db := open(t, `CREATE TABLE a (id integer PRIMARY KEY, x text COMPRESSION pglz COLLATE "C" DEFAULT 'y', n integer GENERATED ALWAYS AS IDENTITY (CACHE 7));
CREATE TABLE b (a integer, x text, FOREIGN KEY (a) REFERENCES a ON DELETE SET NULL (a));
CREATE INDEX b_x ON b (x text_pattern_ops, x COLLATE "C" DESC NULLS LAST); CREATE UNIQUE INDEX b_a ON b (a) NULLS NOT DISTINCT`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"a"},"column":{"name":"x"},"set":{"dataType":"date","defaultValue":"now()"}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"n"},"set":{"isIdentity":false,"isNullable":true}},
		{"op":"set_foreign_key","table":{"name":"b"},"foreignKey":{"name":"b_a_fkey"},"set":{"onDeleteAction":"cascade"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"x"},"set":{"dataType":"int"}},
		{"op":"set_index","table":{"name":"b"},"index":{"name":"b_a"},"set":{"unique":false}}]`)
	s := read(t, db)
	assert.Nil(t, tableOf(t, s, "a").Columns[1].Options)
	assert.Equal(t, "integer", tableOf(t, s, "b").Columns[1].DataType)
}

func TestAnAliasOfATypeIsNoChange(t *testing.T) {
	db := open(t, "CREATE TABLE t (a integer, b varchar(9)[], c timestamptz)")
	p := change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"INT4"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"dataType":"character varying(9) array"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"dataType":"timestamp(6) with time zone"}}]`)
	assert.Empty(t, p.Steps)
}
