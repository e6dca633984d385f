package session

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// A review reads every step since all was last accepted.
func BenchmarkReview(b *testing.B) {
	p := newProject(b)
	many := p.show(newDatabase("many", table("A", "x")))
	for range 8160 / 120 {
		var edits []designer.Edit
		for range 60 {
			edits = append(edits, retype("A", "x", "text"), retype("A", "x", "int"))
		}
		apply(b, many, edits...)
	}
	wide := p.show(newDatabase("wide", tables(1000)...))
	for i := range 10 {
		var edits []designer.Edit
		for j := range 100 {
			edits = append(edits, addColumn(fmt.Sprintf("T%05d", i*100+j), "n"))
		}
		apply(b, wide, edits...)
	}
	for name, c := range map[string]struct {
		d    *Designer
		want int
	}{"8160 steps that cancelled out": {many, 0}, "1000 changed tables": {wide, 1000}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := c.d.Review(b.Context())
				require.NoError(b, err)
				require.Len(b, r.Tables, c.want)
			}
		})
	}
}
