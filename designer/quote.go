package designer

import "strings"

// StringLiteral writes text as a string of the dialect's SQL.
func (d *Dialect) StringLiteral(text string) string {
	if d.sql().Backslashes {
		text = strings.ReplaceAll(text, `\`, `\\`)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// QuoteIdentifier writes a name as an identifier of the dialect's SQL, always
// in quotes.
func (d *Dialect) QuoteIdentifier(name string) string {
	return d.spell(name, d.sql().NameQuotes[0])
}
