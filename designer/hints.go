package designer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer/clip"
)

// String renders the name as the contract writes it: dbo.Orders.
func (n TableName) String() string { return fullName(n.Schema, n.Name) }

// fullName renders a table's name as the contract writes it: dbo.Orders.
func fullName(schema, name string) string {
	if schema == "" {
		return clip.Name(name)
	}
	return clip.Name(schema) + "." + clip.Name(name)
}

func (t *Table) fullName() string { return fullName(t.Schema, t.Name) }

// quoted renders t's full name in quotes.
func (t *Table) quoted() string { return "'" + t.fullName() + "'" }

func invalid(format string, args ...any) *Error {
	return &Error{Reason: ValidationError, Message: fmt.Sprintf(format, args...)}
}

func notFound(hints *Hints, format string, args ...any) *Error {
	return &Error{Reason: NotFound, Message: fmt.Sprintf(format, args...), Hints: hints}
}

func ambiguous(format string, args ...any) *Error {
	return &Error{Reason: AmbiguousIdentifier, Message: fmt.Sprintf(format, args...)}
}

func badRequest(hints *Hints, format string, args ...any) *Error {
	return &Error{Reason: InvalidRequest, Message: fmt.Sprintf(format, args...), Hints: hints}
}

// Nearest returns at most [MaxHints] of the candidates, those whose folded
// form needs the fewest edits to become name's first; equally near ones keep
// their order. Long names are compared and returned clipped.
func Nearest(name string, candidates []string) []string {
	type ranked struct {
		name     string
		distance int
	}
	want := []rune(Fold(clip.Name(name)))
	list := make([]ranked, len(candidates))
	for i, c := range candidates {
		c = clip.Name(c)
		list[i] = ranked{c, distance(want, []rune(Fold(c)))}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.distance, b.distance) })
	out := make([]string, 0, MaxHints)
	for _, r := range list[:min(len(list), MaxHints)] {
		out = append(out, r.name)
	}
	return out
}

// Near returns the one candidate that name is a misspelling of: by two letters
// at most, and by one where it is short. It is false where there is none, or
// several are as near.
func Near(name string, candidates []string) (string, bool) {
	want := []rune(Fold(clip.Name(name)))
	best, at, several := 3, "", false
	if len(want) < 6 {
		best = 2
	}
	for _, c := range candidates {
		switch d := distance(want, []rune(Fold(clip.Name(c)))); {
		case d < best:
			best, at, several = d, c, false
		case d == best && at != "":
			several = true
		}
	}
	return at, at != "" && !several && len(want) > 2
}

// distance counts the insertions, deletions and replacements between a and b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func (s *Schema) nearestTables(schema, name string) *Hints {
	names := make([]string, 0, len(s.entries))
	for _, e := range s.entries {
		names = append(names, e.table.fullName())
	}
	slices.Sort(names)
	return &Hints{NearestTables: Nearest(fullName(schema, name), names)}
}

func nearestColumns(t *Table, name string) *Hints {
	names := mapEach(t.Columns, func(c Column) string { return c.Name })
	return &Hints{NearestColumns: Nearest(name, names)}
}

func nearestNames(name string, names []string) *Hints {
	return &Hints{NearestNames: Nearest(name, names)}
}

// listNames joins at most five names, clipped before, for a message.
func listNames(names []string) string {
	const most = 5
	out := ""
	for i, n := range names {
		if i == most {
			return fmt.Sprintf("%s and %d more", out, len(names)-most)
		}
		if i > 0 {
			out += ", "
		}
		out += "'" + n + "'"
	}
	return out
}
