package driver

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Two tables may have names that differ in case alone: what each of them
// selects is judged.
func TestViewsWhoseNamesDifferInCaseAreBothJudged(t *testing.T) {
	s := mysqlServed(t)
	if s.Count(t, "SELECT @@lower_case_table_names") != 0 {
		t.Skip("on this server they are one")
	}
	for _, script := range []string{"CREATE VIEW v AS SELECT SLEEP(0) AS a", "CREATE VIEW V AS SELECT 1 AS a", "CREATE VIEW w AS SELECT 1 AS a", "CREATE VIEW W AS SELECT SLEEP(0) AS a"} {
		s.Exec(t, script)
	}
	c := s.connect(t)
	for range 2 {
		for _, query := range []string{"SELECT 1 FROM v, V", "SELECT 1 FROM V, v", "SELECT 1 FROM w, W", "SELECT 1 FROM W, w"} {
			r := ask(t, c, query)
			assert.True(t, r.IsError, "%s: %v", query, r.Content)
		}
	}
	assert.False(t, ask(t, c, "SELECT 1 FROM V, w").IsError)
}
