// Package table collects what the rounds of a comparison measured, and writes
// it as Markdown: the median of the rounds, their spread, and the ratio of the
// first server to each other one.
//
// Start from Table: Add a figure or Say a text for a measure and a server, in
// any order, then Markdown. Measures come out in the order in which they came
// in.
package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Measure is one thing that is measured. Unit may be empty.
type Measure struct {
	Section string // the heading it stands under
	Name    string
	Unit    string
}

// Table is what was measured. New makes one.
type Table struct {
	first    string // the server that the others are compared with
	measures []Measure
	cells    map[Measure][]*cell
}

// cell is what one server showed in one measure.
type cell struct {
	server string
	series series
	text   string // in place of figures
}

// New returns an empty table in which the server of that name is compared
// with every other.
func New(first string) *Table {
	return &Table{first: first, cells: map[Measure][]*cell{}}
}

// Add notes the figure of a server in a round. One figure counts for a round,
// the last.
func (t *Table) Add(m Measure, server string, round int, value float64) {
	t.cell(m, server).series[round] = value
}

// Say notes a text in place of figures: what a server did, or why there is
// nothing to measure. It stands even where other rounds have figures.
func (t *Table) Say(m Measure, server, text string) {
	t.cell(m, server).text = text
}

func (t *Table) cell(m Measure, server string) *cell {
	cells, ok := t.cells[m]
	if !ok {
		t.measures = append(t.measures, m)
	}
	for _, c := range cells {
		if c.server == server {
			return c
		}
	}
	c := &cell{server: server, series: series{}}
	t.cells[m] = append(cells, c)
	return c
}

// Markdown returns the table, a part for each section with a column for each
// server that shows something in it.
func (t *Table) Markdown() string {
	var b strings.Builder
	var sections []string
	for _, m := range t.measures {
		if !slices.Contains(sections, m.Section) {
			sections = append(sections, m.Section)
		}
	}
	for _, section := range sections {
		servers := t.servers(section)
		fmt.Fprintf(&b, "\n### %s\n\n", section)
		row(&b, append([]string{""}, servers...)...)
		b.WriteString(strings.Repeat("| --- ", len(servers)+1) + "|\n")
		for _, m := range t.measures {
			if m.Section == section {
				t.row(&b, m, servers)
			}
		}
	}
	return b.String()
}

// servers are the columns of a section: the first server, and the others in
// the order in which they came in.
func (t *Table) servers(section string) []string {
	all := []string{t.first}
	for _, m := range t.measures {
		for _, c := range t.cells[m] {
			if m.Section == section && !slices.Contains(all, c.server) {
				all = append(all, c.server)
			}
		}
	}
	return all
}

// row writes a measure, in each other server's cell with the first one's
// figure as a multiple of its own.
func (t *Table) row(b *strings.Builder, m Measure, servers []string) {
	name := m.Name
	if m.Unit != "" {
		name += ", " + m.Unit
	}
	cells := []string{name}
	for _, server := range servers {
		c := t.find(m, server)
		text := c.String()
		if server != t.first {
			text += multiple(t.find(m, t.first), c)
		}
		cells = append(cells, text)
	}
	row(b, cells...)
}

// find is the cell of a server, an empty one if it showed nothing.
func (t *Table) find(m Measure, server string) *cell {
	for _, c := range t.cells[m] {
		if c.server == server {
			return c
		}
	}
	return &cell{server: server}
}

func row(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		b.WriteString("| " + Escape(c) + " ")
	}
	b.WriteString("|\n")
}

// Escape makes a text one that stands in a cell: on one line, without a bar
// that would end it.
func Escape(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

func multiple(ours, theirs *cell) string {
	r := ratio(ours.series, theirs.series)
	if ours.text != "" || theirs.text != "" || math.IsNaN(r) {
		return ""
	}
	return " · ×" + Format(r)
}

// String is the median with its spread, where there is one, or the text.
func (c *cell) String() string {
	values := c.series.values()
	switch {
	case c.text != "":
		return c.text
	case len(values) == 0:
		return "–"
	}
	least, most := Format(slices.Min(values)), Format(slices.Max(values))
	if least == most {
		return least
	}
	return fmt.Sprintf("%s (%s–%s)", Format(Median(values)), least, most)
}

// Format writes a figure with three digits that count, and a whole one of
// four or more with commas: 0.0123, 1.23, 123, 12,345.
func Format(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if math.Abs(v) < 999.5 {
		digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
		return strconv.FormatFloat(v, 'f', max(digits, 0), 64)
	}
	whole := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	sign := ""
	if v < 0 {
		sign, whole = "-", whole[1:]
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return sign + whole
}
