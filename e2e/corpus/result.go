package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// outcome is what became of a step.
type outcome struct {
	short   string // a few words, for the table
	details []string
	wrong   bool // berth fell short, or the files have errors of their own
	fatal   bool // the run cannot continue
}

func failed(err error) outcome {
	return outcome{short: "failed", details: []string{err.Error()}, wrong: true, fatal: true}
}

func counted(list []string, what string) outcome {
	return outcome{short: fmt.Sprintf("%d %s", len(list), what), details: list, wrong: len(list) > 0}
}

// result is what became of a schema.
type result struct {
	name     string
	outcomes []outcome
	left     []string // databases that could not be dropped
}

// maxShown bounds the details of a step that are printed, and maxLine each.
const (
	maxShown = 4
	maxLine  = 300
)

func (r result) print(w io.Writer, all bool) {
	fmt.Fprintf(w, "\n== %s\n", r.name)
	for i, o := range r.outcomes {
		if o.short == "" {
			continue
		}
		fmt.Fprintf(w, "%-12s %s\n", steps[i].name, o.short)
		for n, d := range o.details {
			if n == maxShown && !all {
				fmt.Fprintf(w, "    … and %d more\n", len(o.details)-n)
				break
			}
			d = strings.Join(strings.Fields(d), " ")
			if len(d) > maxLine && !all {
				d = strings.ToValidUTF8(d[:maxLine], "") + "…"
			}
			fmt.Fprintf(w, "    %s\n", d)
		}
	}
	for _, l := range r.left {
		fmt.Fprintf(w, "left behind: %s\n", l)
	}
}

// printTable prints schema × step × result as Markdown.
func printTable(w io.Writer, results []result) {
	rows := [][]string{{"schema"}}
	for _, s := range steps {
		rows[0] = append(rows[0], s.name)
	}
	for _, r := range results {
		row := []string{r.name}
		for _, o := range r.outcomes {
			text := o.short
			if o.wrong {
				text = "**" + text + "**"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	fmt.Fprintln(w)
	for i, row := range rows {
		for j, cell := range row {
			fmt.Fprintf(w, "| %s%s ", cell, strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)))
		}
		fmt.Fprintln(w, "|")
		if i == 0 {
			fmt.Fprintln(w, strings.Repeat("| --- ", len(row))+"|")
		}
	}
}
