package session

import (
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer"
)

// Publication is a publish of a shared design to one of its databases, as the
// others are told.
type Publication struct {
	Author     string    `json:"author"`
	Server     string    `json:"server"`
	Database   string    `json:"database"`
	Statements int       `json:"statements"`
	At         time.Time `json:"at"`  // by the author's clock
	Seq        uint64    `json:"seq"` // of the journal's entry that reports it
}

// keptPublications bounds to how many databases the last publish is kept.
const keptPublications = 20

// reportOf is the report of a plan that was made.
func (d *Designer) reportOf(plan designer.Plan) *Publication {
	return &Publication{Server: d.row.target.Server, Database: d.row.target.Database, Statements: len(plan.Steps)}
}

// reported adds a publish to those of a design.
func reported(list []Publication, e teamEntry, seq uint64) []Publication {
	if e.Published == nil {
		return list
	}
	p := *e.Published
	p.Author, p.At, p.Seq = e.Author, e.At, seq
	list = slices.DeleteFunc(slices.Clone(list), func(o Publication) bool {
		return strings.EqualFold(o.Server, p.Server) && o.Database == p.Database
	})
	list = slices.Insert(list, 0, p)
	return list[:min(len(list), keptPublications)]
}
