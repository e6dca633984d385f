package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// confirmPublish has what loses no data published: by one press.
func (b *tab) confirmPublish() {
	b.t.Helper()
	b.has(button("publish-run"))
	b.lacks(button("publish-confirm"))
	b.press(button("publish-run"))
}

// confirmLoss types the database's name, which the page asks for where data is
// lost, and has it published.
func (b *tab) confirmLoss() {
	b.t.Helper()
	b.has(button("publish-confirm"))
	b.has(button("publish-run") + ":disabled")
	b.write(button("publish-confirm"), "something else")
	b.has(button("publish-run") + ":disabled")
	b.write(button("publish-confirm"), eval[string](b, `document.querySelector("[data-testid=publish-target]").querySelectorAll("strong")[1].textContent`))
	b.press(button("publish-run"))
}

// The instance dies while its server works on the second statement. What the
// server makes of that one is not known to anybody before it is asked.
func TestAPublishThatWasKilledIsResumedFromThePage(t *testing.T) {
	t.Parallel()
	s, served := studioOn(t, "mysql")
	s.expectOffline()
	for _, table := range []string{"berths", "boats"} {
		s.apply(map[string]any{"op": "add_column", "table": map[string]any{"name": table},
			"column": map[string]any{"name": "length_m", "dataType": "int", "isNullable": true}})
	}
	// The first statement takes a while, so that the second can be held up meanwhile: a publish begins only where no table is.
	served.exec("INSERT INTO berths (id, name, depth) SELECT seq, CONCAT('berth ', seq), 1 FROM seq_1000_to_600000")
	s.apply(map[string]any{"op": "set_column", "table": map[string]any{"name": "berths"}, "column": map[string]any{"name": "name"},
		"set": map[string]any{"maxLength": "300"}})
	s.panel("changes")
	s.sees("length_m")
	s.press(button("publish"))
	s.confirmPublish()
	require.Eventually(t, func() bool {
		return served.count("SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'ALTER TABLE%berths%'") == 1
	}, patience, time.Millisecond)
	held, err := served.db.Begin()
	require.NoError(t, err)
	var n int
	require.NoError(t, held.QueryRow("SELECT count(*) FROM boats").Scan(&n)) // nobody can alter boats now
	s.eventually(`() => document.querySelector("[data-testid=publish-progress]")?.value >= 1`)
	require.Eventually(t, func() bool {
		return served.count("SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE '%metadata lock%' AND info LIKE 'ALTER TABLE%boats%'") == 1
	}, patience, tick)
	s.screenshot("running")
	s.in.kill()
	s.screenshot("killed")
	// The server would make the change all the same, once it can; here it does not.
	altering := "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'ALTER TABLE%boats%'"
	served.exec(fmt.Sprintf("KILL %d", served.count(altering)))
	require.Eventually(t, func() bool { return served.count("SELECT count(*) FROM ("+altering+") waiting") == 0 }, patience, tick)
	require.NoError(t, held.Rollback())

	s.in = s.serve(s.root)
	s.press(button("publish-close"))
	s.lacks(button("offline"))
	s.has(button("interrupted"))
	s.screenshot("interrupted")
	s.hasNoSeriousBarrier()
	s.press(button("publish"))
	s.confirmPublish()
	s.has(`[data-testid=publish-dialog] [data-testid=report-done]`)
	s.screenshot("done")
	s.press(button("publish-close"))
	s.sees("In sync")
	served.exec("UPDATE berths SET length_m = 12 WHERE id = 1", "UPDATE boats SET length_m = 9 WHERE id = 10")
	assert.Equal(t, 2, served.count("SELECT count(*) FROM boats"))
}

// A request may be lost in the moment in which an instance comes back, after
// the page has found it: what was lost is read again, without a press.
func TestWhatWasLostWhileTheInstanceCameBackIsReadAgain(t *testing.T) {
	s := newStudio(t, twoTables)
	s.expectOffline()
	s.panel("changes")
	s.eventually(`() => {
		const real = window.fetch
		window.fetch = (url, ...rest) => (String(url).endsWith('/plan') ? Promise.reject(new TypeError('lost')) : real(url, ...rest))
		window.found = () => { window.fetch = real }
		return true
	}`)
	s.apply(addTable("lost"))
	s.sees("could not be read: the instance cannot be reached")
	s.eventually(`() => { window.found(); return true }`)
	s.sees("1 change is in this design only")
	s.eventually(`() => !document.body.innerText.includes("could not be read")`)
}
