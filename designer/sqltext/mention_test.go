package sqltext

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestATextMentionsWhatItAndItsStringsName(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		text  string
		name  string
		line  int
	}{
		{PostgreSQL(), "BEGIN\n  NEW.Title := 1;\nEND", "title", 2},
		{PostgreSQL(), "BEGIN\n  NEW.subtitle := 1;\nEND", "title", 0},
		{PostgreSQL(), "-- title\nSELECT 1 /* title */", "title", 0},
		{PostgreSQL(), "EXECUTE\n'UPDATE film SET title = 1'", "title", 2},
		{PostgreSQL(), "EXECUTE $x$\nUPDATE film\nSET \"Film Title\" = 'it''s'$x$", "film title", 3},
		{PostgreSQL(), "EXECUTE 'SELECT format(''SELECT title'')'", "title", 1},
		{PostgreSQL(), "RAISE 'it''s a title'", "title", 1},
		{MySQL(), "SELECT `title`\nFROM `film`", "film", 2},
		{TSQL(), "SELECT 1\nFROM [the film]", "the film", 2},
		{TSQL(), "EXEC(N'SELECT title FROM film')", "title", 1},
	} {
		assert.Equal(t, tt.line, tt.rules.Mentioned(tt.text).Line(tt.name), "%s", tt.text)
	}
}

func TestATableIsNamedAloneOrBehindItsSchema(t *testing.T) {
	m := PostgreSQL().Mentioned("NEW.note := 1;\nSELECT 1 FROM shop.film;\nSELECT 'x.film', t.film FROM t")
	assert.Zero(t, m.Table("public", "note"))
	assert.Equal(t, 2, m.Table("shop", "film"))
	assert.Zero(t, m.Table("public", "film"))
	assert.Equal(t, 3, m.Table("public", "t"))
	assert.Equal(t, 1, m.Line("note"))
	assert.Equal(t, 1, PostgreSQL().Mentioned("'a' || $$UPDATE ONLY film SET x = 1$$").Table("public", "FILM"))
}
