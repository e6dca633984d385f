package instance

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// A page without a key may ask for what "berth open" does: the instance opens
// the person's own browser, signed in, by a file that only they can read. The
// answer holds nothing: neither the page that asks nor whoever reads along gets
// a code.

// openings are allowed at once, and one more every openingPeriod. With the life
// of a code they stay below maxCodes, so that pressing displaces no code of
// "berth open".
const (
	openings      = 3
	openingPeriod = 15 * time.Second
)

var errNoBrowser = errors.New("no browser can be opened from here: run berth open in the project's folder, " +
	"or berth open --print at a terminal of this machine for an address to paste")

// postSignInOpen opens the page in the person's browser, signed in. It takes no
// credential, so it takes nothing from the request but that it comes from this
// instance's own page, and tells it nothing.
func (s *Server) postSignInOpen(w http.ResponseWriter, r *request) error {
	if err := s.checkOwnPage(r.Request); err != nil {
		return err
	}
	if err := readJSON(w, r.Request, maxSignInBytes, &struct{}{}); err != nil {
		return err
	}
	if s.cfg.OpenBrowser == nil {
		return fail(wire.CodeInvalidRequest, "%v", errNoBrowser)
	}
	if ok, _ := s.openings.allow(); !ok {
		return fail(wire.CodeOverloaded, "a browser was asked to open this page a moment ago: look for it there, or try again in %d seconds",
			int(openingPeriod.Seconds()))
	}
	path, err := s.NewSignInFile()
	if err == nil {
		err = s.cfg.OpenBrowser(r.Context(), path)
	}
	if err != nil { // its text may name the file
		s.cfg.Logger.Warn("browser not opened for a page that asked to sign in", "cause", err)
		return fail(wire.CodeInvalidRequest, "%v", errNoBrowser)
	}
	s.cfg.Logger.Info("browser opened for a page that asked to sign in")
	writeJSON(w, http.StatusOK, struct {
		Opened bool `json:"opened"`
	}{true})
	return nil
}

// checkOwnPage refuses a request that no script of this instance's page sent.
// The guard lets requests without an Origin pass, since programs send none.
func (s *Server) checkOwnPage(r *http.Request) error {
	port := ":" + strconv.Itoa(s.self.Port)
	origin := r.Header.Values("Origin")
	site := r.Header.Values("Sec-Fetch-Site")
	ours := len(origin) == 1 && (origin[0] == "http://127.0.0.1"+port || origin[0] == "http://localhost"+port)
	if !ours || len(site) > 1 || len(site) == 1 && site[0] != "same-origin" {
		return fail(wire.CodeForbiddenOrigin, "only the instance's own page may ask this: programs run berth open")
	}
	return nil
}
