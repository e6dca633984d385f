package sqltext_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/e2e/long"
)

// writer writes random expressions over a, b and c. Where an operand may need
// parentheses it writes a mark for a pair, which spelled keeps or drops.
type writer struct {
	*rand.Rand
	truths, numbers []string // the leaves
	compared        []string // what stands between truths
}

const opens, closes = "\x01", "\x02"

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) marked(text string) string { return opens + text + closes }

func (w writer) number(depth int) string {
	if depth <= 0 || w.IntN(3) > 0 {
		return w.pick(w.numbers...)
	}
	return w.marked(w.number(depth-1)) + w.pick(" + ", " - ", " * ") + w.marked(w.number(depth-1))
}

func (w writer) truth(depth int) string {
	inner := func() string { return w.marked(w.truth(depth - 1)) }
	number := func() string { return w.marked(w.number(depth - 1)) }
	if depth <= 0 {
		return w.pick(w.truths...)
	}
	switch w.IntN(17) {
	case 0, 1, 2, 3:
		return inner() + " AND " + inner()
	case 4, 5, 6:
		return inner() + " OR " + inner()
	case 7, 8:
		return "NOT " + inner()
	case 9:
		return number() + " BETWEEN " + number() + " AND " + number()
	case 10:
		return number() + w.pick("", " NOT") + " IN (" + number() + ", " + number() + ")"
	case 11:
		return "CASE WHEN " + inner() + " THEN " + inner() + " ELSE " + inner() + " END"
	case 12:
		return inner() + w.pick(" IS NULL", " IS NOT NULL", " IS TRUE", " IS NOT FALSE")
	case 13:
		return "COALESCE(" + inner() + ", " + inner() + ")"
	case 14:
		return inner() + w.pick(w.compared...) + inner()
	case 15:
		return inner() + " BETWEEN " + inner() + " AND " + inner()
	}
	return number() + w.pick(" = ", " < ", " >= ") + number()
}

// spelled keeps a random part of the pairs, whatever that makes of the
// expression, and doubles some.
func (w writer) spelled(text string, kept float64) string {
	var b strings.Builder
	var ends []string
	for i := range len(text) {
		switch text[i : i+1] {
		case opens:
			n := 0
			if w.Float64() < kept {
				n = 1 + w.IntN(5)/4
			}
			b.WriteString(strings.Repeat("(", n))
			ends = append(ends, strings.Repeat(")", n))
		case closes:
			b.WriteString(ends[len(ends)-1])
			ends = ends[:len(ends)-1]
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// sameToServer requires of pairs of spellings that are called the same that a
// server takes them for the same too: reading is what it makes of one.
func sameToServer(t *testing.T, rules sqltext.Rules, w writer, pairs int, reading func(expression string) (string, error)) {
	same, refused := 0, 0
	for tried := 0; tried < 200*pairs && same < pairs; tried++ {
		tree := w.truth(1 + w.IntN(4))
		a, b := w.spelled(tree, 0.9), w.spelled(tree, w.Float64())
		if a == b || !rules.Same(a, b, func(string) bool { return false }) {
			continue
		}
		same++
		x, errA := reading(a)
		y, errB := reading(b)
		if !assert.Equal(t, errA == nil, errB == nil, "%s | %s: %v, %v", a, b, errA, errB) || !assert.Equal(t, x, y, "%s | %s", a, b) {
			return
		}
		if errA != nil {
			refused++
		}
	}
	t.Logf("%d pairs are the same, of which the server refuses both spellings of %d", same, refused)
	assert.Equal(t, pairs, same, "the same expressions written otherwise")
	assert.Less(t, refused, pairs/2)
}

func newWriter(t *testing.T, truths, numbers, compared string) writer {
	return writer{long.Dice(t), strings.Split(truths, "; "), strings.Split(numbers, "; "), strings.Split(compared, ";")}
}

func pairs() int {
	if long.Thorough() {
		return 3000
	}
	return 300
}

func TestWhatIsTheSameButForParenthesesIsTheSameOnPostgreSQL(t *testing.T) {
	db := enginetest.PostgresDB(t)
	db.SetMaxOpenConns(1)
	_, err := db.Exec("CREATE TABLE t (a int, b int, c int, p boolean, q boolean)")
	require.NoError(t, err)
	sameToServer(t, sqltext.PostgreSQL(), newWriter(t, "p; q; a = b; a < 1; b IS NULL; c <> 2", "a; b; c; 1; -2", " = ; <> ; IS NOT DISTINCT FROM "), pairs(), func(expression string) (text string, err error) {
		tx, err := db.Begin()
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, tx.Rollback()) }()
		if _, err := tx.Exec("ALTER TABLE t ADD CONSTRAINT k CHECK (" + expression + ")"); err != nil {
			return "", err
		}
		return text, tx.QueryRow("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'k'").Scan(&text)
	})
}

// truths is what an expression is for every row.
func truths(db *sql.DB, join string) func(expression string) (string, error) {
	return func(expression string) (text string, err error) {
		return text, db.QueryRow(fmt.Sprintf("SELECT "+join+" FROM t", "COALESCE("+expression+", 'n')")).Scan(&text)
	}
}

func fillAssignments(t *testing.T, db *sql.DB) {
	_, err := db.Exec("CREATE TABLE t (id int PRIMARY KEY, a int, b int, c int)")
	require.NoError(t, err)
	values := []string{"NULL", "0", "1", "2"}
	for i := range 64 {
		_, err := db.Exec(fmt.Sprintf("INSERT INTO t VALUES (%d, %s, %s, %s)", i, values[i%4], values[i/4%4], values[i/16]))
		require.NoError(t, err)
	}
}

func TestWhatIsTheSameButForParenthesesIsTheSameOnSQLite(t *testing.T) {
	db := enginetest.SQLiteDB(t)
	fillAssignments(t, db)
	sameToServer(t, sqltext.SQLite(), newWriter(t, "a; b; a = b; a < 1; b IS NULL; c IS NOT b; a NOTNULL", "a; b; c; 1; -2; a || b", " = ; <> ; IS NOT ; IS "), pairs(), truths(db, "group_concat(%s)"))
}

func TestWhatIsTheSameButForParenthesesIsTheSameOnMySQL(t *testing.T) {
	db := enginetest.MySQLDB(t)
	db.SetMaxOpenConns(1)
	fillAssignments(t, db)
	for _, mode := range []string{"", "HIGH_NOT_PRECEDENCE", "PIPES_AS_CONCAT"} {
		t.Run("mode "+mode, func(t *testing.T) {
			_, err := db.Exec("SET SESSION sql_mode = '" + mode + "'")
			require.NoError(t, err)
			w := newWriter(t, "a; b; a = b; a < 1; b IS NULL; a XOR b; a || b; a && c; !b; c <=> b", "a; b; c; 1; -2", " = ; <> ; <=> ")
			sameToServer(t, sqltext.MySQL(), w, pairs(), truths(db, "GROUP_CONCAT(%s ORDER BY id)"))
		})
	}
}
