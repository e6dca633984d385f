package sqlite

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// note notes what SQLite has no place for.
func (p *steps) note(tables []*designer.Table) {
	for _, t := range tables {
		comments := t.Comment != ""
		for _, c := range t.Columns {
			comments = comments || c.Comment != ""
		}
		if comments {
			p.Notes = append(p.Notes, fmt.Sprintf("SQLite keeps no comments: those of table %s stay in the design.", t.Name))
		}
	}
}

// noteLossy notes which values the copying may change.
func (p *planner) noteLossy(b *rebuild) {
	for _, c := range b.Columns {
		if c.Changed() && c.Type && lossy(*c.From, *c.To) {
			p.Notes = append(p.Notes, fmt.Sprintf("Column %s of %s becomes %s: what looks like such a value is turned into one, "+
				"leading zeros and digits beyond its precision are lost, and what does not stays as it is.",
				c.To.Name, b.To.Name, typeOf(*c.To)))
		}
	}
}
