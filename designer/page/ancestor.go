package page

import (
	"fmt"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// ancestor is an origin, with * for any first label of its name or any port,
// or a scheme that is not the web's: http: and https: are every page there is.
var ancestor = lazyregexp.New(`^(?:https?://(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::(?:\d{1,5}|\*))?|[a-z][a-z0-9+.-]*:)$`)

// everyone are schemes under which anyone can have a page.
var everyone = lazyregexp.New(`^(?:https?|wss?|data|blob|file|filesystem|about|javascript):$`)

// CheckAncestor reports whether a text may stand among the origins that frame
// the page. The error says what it takes.
func CheckAncestor(text string) error {
	if ancestor().MatchString(text) && !everyone().MatchString(text) {
		return nil
	}
	return fmt.Errorf("%q is no origin that can be named: give one such as https://*.vscode-cdn.net, "+
		"or a scheme of an editor's own (vscode-webview: is one)", text)
}
