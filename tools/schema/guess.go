package schema

import (
	"github.com/berth-dev/berth/designer/guess"
	"github.com/berth-dev/berth/designer/prisma"
)

// TextGuess is what a text seems to be. The zero value is: nothing that is
// known.
type TextGuess struct {
	Format  string `json:"format,omitempty"`  // one of import's
	Dialect string `json:"dialect,omitempty"` // whose SQL it is, or for which a Prisma schema is
	Because string `json:"because,omitempty"` // the mark in the text that says so
	Line    int    `json:"line,omitempty"`    // of the mark, from 1
}

// GuessText says what a text seems to be that is to be imported.
func GuessText(text string) TextGuess {
	g := guess.Of(text)
	out := TextGuess{Format: g.Format, Dialect: g.Dialect, Because: g.Because, Line: g.Line}
	if out.Format == formatPrisma {
		out.Dialect = prisma.Provider(text)
	}
	return out
}
