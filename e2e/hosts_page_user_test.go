//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/e2e/long"
)

// Another user of this machine has the key and the code, and gets nothing.
func TestAnotherUserGetsNothingOfAPageThatIsShownHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	far.serve(root)
	th := newThief(t)
	for range long.Rounds(1, 10) {
		page := w.show("build1:" + root)
		_, code, _ := strings.Cut(opened(t, page.instance, page.desktop), "#code=")
		refused := 0
		try := func(p prey) {
			p.URL = page.URL + p.URL
			got := th.send(p)
			if got.Status == 0 {
				return // the refusal came before the request was written
			}
			refused++
			assert.Equal(t, 403, got.Status, "%s %s: %s", p.Method, p.URL, got.Body)
			assert.Contains(t, got.Body, "forbidden_user")
			assert.Contains(t, got.Body, "user 65534 (nobody)")
			assert.NotContains(t, got.Body, "trustedPeers", "which this page does not ask")
		}
		try(prey{Method: "POST", URL: "/signin", Body: fmt.Sprintf(`{"code":%q}`, code)})
		try(prey{Method: "GET", URL: "/health"})
		try(prey{Method: "POST", URL: "/signin/open", Body: "{}", Header: map[string]string{"Origin": page.URL}})
		key := map[string]string{"Authorization": page.signIn()} // the thief did not use the code up
		for _, path := range []string{"/", "/designs", "/approvals", "/events", "/projects"} {
			try(prey{Method: "GET", URL: path, Header: key})
		}
		assert.Positive(t, refused)
		seen := th.send(prey{})
		assert.Empty(t, seen.Seen, "codes in the process list")
		page.interrupt()
	}
}
