package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const firstOfAThousand = "The 60 tables with most relations of 1,000"

// A large design begins with the tables that have most relations, and says so.
func TestALargeDesignBeginsWithWhatIsRelatedMost(t *testing.T) {
	s := newStudio(t, thousandTables())
	s.counts(firstOfAThousand)
	s.arranged()
	s.has(tableBox("athens_production"))
	first := s.shown()
	s.hasNoSeriousBarrier()
	s.looksGood("first", false)

	other := s.another()
	other.goTo(s.in.URL)
	other.counts(firstOfAThousand)
	other.rests()
	assert.Equal(t, first, other.shown(), "everybody begins with the same")

	// What the agent makes, and what it changes of the rest, is not left out.
	s.apply(addTable("invoice"), map[string]any{"op": "add_column", "table": map[string]any{"name": "oslo_audit_entry"}, "column": map[string]any{"name": "note", "dataType": "TEXT"}})
	s.has(tableBox("invoice"))
	s.has(tableBox("oslo_audit_entry"))
	s.counts("62 of 1,001 tables shown, first the 60 with most relations")
	s.looksGood("changed", false)

	s.click(button("show-all"))
	s.lacks(button("shown-line"))
	s.reload()
	s.has(button("far-layer"))
	s.lacks(button("shown-line"))
	s.click(button("filter"))
	s.click(button("filter-ranked"))
	s.key("Escape")
	s.counts("The 60 tables with most relations of 1,001")
	s.reload()
	s.counts("The 60 tables with most relations of 1,001")
	s.looksGood("again", false)
}
