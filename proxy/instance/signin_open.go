package instance

import (
	"errors"
	"net/http"
	"time"

	"github.com/berth-dev/berth/proxy/origin"
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
	if err := origin.CheckOwnPage(r.Request, s.self.Port); err != nil {
		return err
	}
	if err := readJSON(w, r.Request, maxSignInBytes, &struct{}{}); err != nil {
		return err
	}
	if s.cfg.OpenBrowser == nil {
		return fail(wire.CodeInvalidRequest, "%v", errNoBrowser)
	}
	if ok, _ := s.openings.Allow(); !ok {
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
