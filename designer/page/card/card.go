// Package card holds the built change card: the page that a chat's host shows a
// person beside the reply to an agent's edits (MCP Apps). It is one file that
// loads nothing. Its sources are in designer/page/src/card.
package card

import _ "embed" // for HTML

// HTML is the card.
//
//go:embed card.html
var HTML string
