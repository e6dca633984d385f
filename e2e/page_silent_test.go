package e2e

import (
	"testing"
	"time"
)

// An instance that is stopped keeps its connections: no request fails by itself.
func TestAPageSaysThatItsInstanceDoesNotAnswer(t *testing.T) {
	s := newStudio(t, twoTables)
	s.arranged()
	s.rename(tableTitle("customer"), "buyer") // what the page loads for it is here now
	s.agrees()
	freeze(t, s.in)
	s.rename(tableTitle("buyer"), "client")
	asked := time.Now()
	s.sees("Not answering.")
	t.Logf("said %v after an edit", time.Since(asked))
	s.sees("1 edit waits")
	s.has(`[data-testid=sync].unsure`)
	s.screenshot("silent")
	thaw(t, s.in)
	s.lacks(button("offline"))
	s.shows("client(id name)", "purchase(id customer_id)")
	s.agrees()
}
