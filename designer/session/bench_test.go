package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// BenchmarkOneEdit adds and drops a column in a schema of so many tables of
// ten columns: as a dry run, which is the part in memory, and committed.
func BenchmarkOneEdit(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		p := newProject(b)
		d := p.show(newDatabase("db", tables(n)...))
		edits := []designer.Edit{addColumn("T00005", "x"), dropColumn("T00005", "x")}
		for _, dry := range []bool{true, false} {
			b.Run(fmt.Sprintf("tables=%d/committed=%t", n, !dry), func(b *testing.B) {
				for i := range b.N {
					edit := edits[i%2]
					if dry {
						edit = edits[0]
					}
					one(b, d, Batch{Edits: []designer.Edit{edit}, DryRun: dry})
				}
				if !dry && b.N%2 == 1 {
					one(b, d, Batch{Edits: edits[1:]})
				}
			})
		}
	}
}

// BenchmarkBatch makes 200 edits in one call, then takes them back untimed.
func BenchmarkBatch(b *testing.B) {
	p := newProject(b)
	d := p.show(newDatabase("db", tables(1_000)...))
	var edits []designer.Edit
	for i := range 20 {
		name := fmt.Sprint("New", i)
		edits = append(edits, addTable(name))
		for j := range 9 {
			edits = append(edits, addColumn(name, fmt.Sprint("c", j)))
		}
	}
	for _, dry := range []bool{true, false} {
		b.Run(fmt.Sprintf("edits=200/committed=%t", !dry), func(b *testing.B) {
			for b.Loop() {
				one(b, d, Batch{Edits: edits, DryRun: dry})
				if !dry {
					b.StopTimer()
					_, err := d.Undo(context.Background(), Steps{Batch: true})
					require.NoError(b, err)
					b.StartTimer()
				}
			}
		})
	}
}

func one(b *testing.B, d *Designer, batch Batch) {
	batch.ExpectedVersion = d.Version()
	out, err := d.Apply(context.Background(), batch)
	if err != nil || out.Err != nil || out.Applied != len(batch.Edits) {
		b.Fatalf("%+v, %v", out, err)
	}
}

// BenchmarkRestart opens a state and reads the design in it.
func BenchmarkRestart(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		p := newProject(b)
		p.show(newDatabase("db", tables(n)...))
		b.Run(fmt.Sprintf("tables=%d/open", n), func(b *testing.B) {
			for b.Loop() {
				p.restart()
			}
		})
		b.Run(fmt.Sprintf("tables=%d/open and read", n), func(b *testing.B) {
			for b.Loop() {
				p.restart()
				require.NoError(b, p.designer("db").View(func(*designer.Schema) {}))
			}
		})
	}
}
