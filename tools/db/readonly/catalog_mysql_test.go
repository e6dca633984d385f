package readonly

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/sqltext"
)

// askedTexts keeps the texts of questions, and answers none.
type askedTexts map[string]int

// Ask implements [Catalog].
func (a askedTexts) Ask(_ context.Context, questions ...CatalogQuery) ([][][]string, error) {
	for _, q := range questions {
		a[q.SQL]++
	}
	return make([][][]string, len(questions)), nil
}

// TestQuestionsToMySQLAreFixedTexts: the catalogue's have no name in them, and
// there are few. Those that show a name have that one and nothing else.
func TestQuestionsToMySQLAreFixedTexts(t *testing.T) {
	asked := askedTexts{}
	for n := 1; n <= 64; n++ {
		query := "SELECT upper(a)"
		for i := range n {
			query += fmt.Sprintf(", secret%d.f%d(1)", n, i)
		}
		query += " FROM x"
		for i := range n {
			query += fmt.Sprintf(", secret%d.t%d, `se``cret` . `x; DROP TABLE ``y`", n, i)
		}
		m, refusal := ParseMySQL(query, false)
		require.Nil(t, refusal)
		_ = NewMySQLReach(asked, "app", NewMySQLWords(), &MySQLMemory{}).Query(t.Context(), m) // its functions are unknown
	}
	fixed := 0
	for text := range asked {
		if !strings.HasPrefix(text, "SHOW ") {
			assert.NotContains(t, text, "cret")
			fixed++
			continue
		}
		names := sqltext.Significant(MySQLTokens(text))
		if assert.Len(t, names, 6, text) {
			assert.True(t, names[3].Kind == sqltext.Quoted && names[4].Is(".") && names[5].Kind == sqltext.Quoted, text)
		}
	}
	assert.Positive(t, fixed)
	assert.LessOrEqual(t, fixed, 16)
	assert.Contains(t, asked, "SHOW CREATE TABLE `se``cret`.`x; DROP TABLE ``y`")
}

func TestArgumentsOfAQuestionEndNothing(t *testing.T) {
	q := CatalogQuery{SQL: "SELECT 1 WHERE a = ? AND b IN (?, ?)", Args: []string{"x' OR '1", "", "?"}}
	assert.Equal(t, "SELECT 1 WHERE a = _utf8mb4 x'7827204f52202731' AND b IN (_utf8mb4 x'', _utf8mb4 x'3f')", q.Inline())
	assert.Equal(t, strings.Count(questionMySQL(lookupMySQL{functions: []mysqlName{{"a", "b"}, {"a", "c"}, {"a", "d"}}, tables: []mysqlName{{"a", "b"}}, views: []mysqlName{{"a", "b"}}}).SQL, "?"), 2*4+2+2)
}

func TestSlotsArePowersOfTwo(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 4, 4: 4, 5: 8, 512: 512} {
		assert.Equal(t, want, slots(n))
	}
	assert.Equal(t, []string{"a", "b", "c", "c"}, filled([]string{"a", "b", "c"}))
}
