package mssql

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// Batches splits a script at its GO lines, as Microsoft's tools do: GO stands
// alone on a line, in any case, perhaps with how often the batch runs. GO in
// strings, names and comments is text. Batches that say nothing are left out.
func Batches(script string) []string {
	var list []string
	var batch strings.Builder
	end := func(times int) {
		text := strings.TrimSpace(batch.String())
		batch.Reset()
		for range times {
			if len(significant(scan(text))) > 0 {
				list = append(list, text)
			}
		}
	}
	tokens := scan(script)
	for i := 0; i < len(tokens); i++ {
		last, times, is := goLine(tokens, i)
		if !is {
			batch.WriteString(tokens[i].Text)
			continue
		}
		end(times)
		i = last
	}
	end(1)
	return list
}

// maxRepeat bounds what a number after GO may ask for.
const maxRepeat = 1000

// goLine reports whether token i is a GO that ends a batch, the last token of
// its line that belongs to it, and how often the batch runs.
func goLine(tokens []sqltext.Token, i int) (last, times int, is bool) {
	if tokens[i].Kind != sqltext.Word || !tokens[i].Is("GO") || !startsLine(tokens, i) {
		return i, 0, false
	}
	times = 1
	for last = i; last+1 < len(tokens); last++ {
		switch t := tokens[last+1]; {
		case t.Kind == sqltext.Space && strings.ContainsRune(t.Text, '\n'), t.Kind == sqltext.Comment && strings.HasPrefix(t.Text, "--"):
			return last, times, true
		case t.Kind == sqltext.Space, t.Is(";"):
		case t.Kind == sqltext.Number:
			n, err := strconv.Atoi(t.Text)
			if err != nil || n < 0 || n > maxRepeat {
				return i, 0, false
			}
			times = n
		default:
			return i, 0, false
		}
	}
	return last, times, true
}

func startsLine(tokens []sqltext.Token, i int) bool {
	if i == 0 {
		return true
	}
	before := tokens[i-1]
	switch before.Kind {
	case sqltext.Space:
		return strings.ContainsRune(before.Text, '\n') || startsLine(tokens, i-1)
	case sqltext.Comment:
		return strings.HasPrefix(before.Text, "/*") && startsLine(tokens, i-1)
	}
	return false
}
