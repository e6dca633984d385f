package instance

import (
	"embed"
	"html/template"
	"net/http"
	"path/filepath"

	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/wire"
)

//go:embed page/index.html page/berth.css
var pageFiles embed.FS

// getPage passes every GET that no other route matches to the page.
func (s *Server) getPage(w http.ResponseWriter, r *request) error {
	if origin.AsksForWorker(r.Request) {
		return origin.WriteEndOfWorker(w)
	}
	if r.URL.EscapedPath() == "/" && r.URL.Query().Has(origin.OpeningQuery) {
		// A server that had the port before may have left files under the same
		// names in the browser's cache.
		w.Header().Set("Clear-Site-Data", `"cache"`)
	}
	if s.cfg.Page != nil {
		s.cfg.Page.ServeHTTP(w, r.Request)
		return nil
	}
	switch r.URL.EscapedPath() {
	case "/":
		return s.writeIndex(w)
	case "/berth.css":
		http.ServeFileFS(w, r.Request, pageFiles, "page/berth.css")
		return nil
	default:
		return fail(wire.CodeNotFound, "no such route")
	}
}

// writeIndex writes the built-in page, which says what this is and how to
// continue. It shows only the last element of the project's path, since the
// route needs no credential.
func (s *Server) writeIndex(w http.ResponseWriter) error {
	index, err := template.ParseFS(pageFiles, "page/index.html")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return index.Execute(w, struct{ Project, URL, Version string }{
		filepath.Base(s.cfg.Root), s.URL(), s.cfg.Version,
	})
}
