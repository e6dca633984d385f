package instance

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documented finds the routes that docs/http.md names.
var documented = regexp.MustCompile("`(GET|POST|PUT|DELETE) (/[^`?#\\s]*)")

func TestEveryRouteIsDocumentedAndEveryDocumentedRouteServed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "http.md"))
	require.NoError(t, err)
	var told []string
	for _, found := range documented.FindAllStringSubmatch(string(text), -1) {
		if route := found[1] + " " + found[2]; route != "GET /" && route != "GET /assets/…" { // the page's
			told = append(told, route)
		}
	}
	// Under other names, since a method may not be called as the field is.
	type designs = Designs
	type projects = Projects
	type trust = Trust
	type edits = Edits
	type begun = NewDesigns
	type rows = Rows
	type here = Presence
	s := &Server{cfg: Config{
		Rest: struct{ Database }{}, Events: struct{ EventSource }{}, Keys: struct{ KeyStore }{}, Approvals: struct{ Approvals }{},
		Designs: struct{ designs }{}, Rows: struct{ rows }{}, Presence: struct{ here }{}, Projects: struct{ projects }{}, Trust: struct{ trust }{}, Edits: struct{ edits }{}, NewDesigns: struct{ begun }{}, Page: http.NotFoundHandler(),
	}}
	var served []string
	for _, route := range s.routeTable() {
		served = append(served, route.String())
	}
	assert.Subset(t, told, served, "docs/http.md lacks a route")
	assert.Subset(t, served, told, "docs/http.md has a route that nobody serves")
}
