package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnIndexOfAnExpressionFollowsTheCollationOfItsColumn(t *testing.T) {
	def, err := Inspect(t.Context(), open(t, `CREATE TABLE a (email varchar(9) COLLATE "C");
CREATE INDEX follows ON a (lower(email));
CREATE INDEX own ON a (lower(email) COLLATE "POSIX");
CREATE INDEX plain ON a (lower(email) COLLATE "default");`))
	require.NoError(t, err)
	got := map[string]string{}
	for _, x := range def.Tables[0].Indexes {
		got[x.Name] = x.Parts[0].Collation
	}
	assert.Equal(t, map[string]string{"follows": "", "own": "POSIX", "plain": "default"}, got)
}

// The server does not give back a collation that is the key's own anyway.
func TestACollationThatIsImpliedIsNoChange(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE a (plain text, c text COLLATE "C");
CREATE INDEX a_plain ON a (plain); CREATE INDEX a_c ON a (c);`)
	p := change(t, db, `[
		{"op":"set_column","table":{"name":"a"},"column":{"name":"plain"},"set":{"collation":"default"}},
		{"op":"set_index","table":{"name":"a"},"index":{"name":"a_plain"},"set":{"columns":[{"name":"plain","collation":"default"}]}},
		{"op":"set_index","table":{"name":"a"},"index":{"name":"a_c"},"set":{"columns":[{"name":"c","collation":"C"}]}}]`)
	assert.Empty(t, p.Steps)

	change(t, db, `[
		{"op":"add_index","table":{"name":"a"},"index":{"name":"new_plain","columns":[{"expression":"lower(plain)","collation":"default"}]}},
		{"op":"add_index","table":{"name":"a"},"index":{"name":"new_c","columns":[{"expression":"lower(c)","collation":"C"}]}},
		{"op":"add_index","table":{"name":"a"},"index":{"name":"new_other","columns":[{"expression":"lower(c)","collation":"default"}]}}]`)
}
