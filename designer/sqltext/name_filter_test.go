package sqltext

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestATextMayNameWhatStandsInItAsAWholeName(t *testing.T) {
	const text = "SELECT c.Total, [odd ]]name], 1AND 1 FROM dbo.\"Orders\" c WHERE EXEC('film')"
	for name, may := range map[string]bool{
		"total": true, "ORDERS": true, "film": true, "dbo": true, "AND": true,
		"odd ]name": true, // doubled in the text
		"order":     false, "rders": false, "tot": false, "otal": false, "customers": false,
	} {
		assert.Equal(t, may, NewNameFilter(text).MayContain(name), name)
	}
	assert.True(t, NewNameFilter("SELECT é").MayContain("absent"), "case is not simple")
	assert.True(t, NewNameFilter(`SELECT U&"\0061"`).MayContain("absent"), "characters by their numbers")
}

// FuzzNameFilter holds [NameFilter.MayContain] to what the dialects read.
func FuzzNameFilter(f *testing.F) {
	for _, seed := range []string{"SELECT a, [b ]]c], \"d\"\"e\", `f`, 'g h', 1e5i, 0x1fj, $$k$$, @l, #m FROM n.o", "1film", "1efilm", "'it''s'", `U&"\0061b"`, "a\\nb", "e'\\nb'", `\NA0`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewNameFilter(text)
		for dialect, r := range map[string]Rules{"PostgreSQL": PostgreSQL(), "MySQL": MySQL(), "T-SQL": TSQL(), "SQLite": SQLite()} {
			for name := range r.Mentioned(text).any {
				if !s.MayContain(name) {
					t.Errorf("%s names %q in %q", dialect, name, text)
				}
			}
			for _, token := range r.Tokens(text) {
				if token.Name != "" && !s.MayContain(token.Name) {
					t.Errorf("%s has the token %q in %q", dialect, token.Name, text)
				}
			}
		}
	})
}
