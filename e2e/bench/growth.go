package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/e2e/bench/plot"
	"github.com/berth-dev/berth/e2e/bench/table"
)

// growingSizes are the numbers of tables of the designs that growth is
// measured of.
func (b *bench) growingSizes() []int {
	if b.short {
		return []int{10, 100}
	}
	return []int{10, 100, 1_000, 10_000}
}

// grown are figures by what they grow with: a measure's row in growth.md, and
// a line in one of the plots.
type grown struct {
	name, unit string
	line       plot.Line
}

// grow measures how berth's figures grow, alone, and writes them into the
// folder of -growth.
func (b *bench) grow(ctx context.Context) error {
	var err error
	if b.programs.berth, err = (installer{ctx, b.dir, b.say}).ours(b.dir, "berth", "cmd/berth"); err != nil {
		return err
	}
	if err := os.MkdirAll(b.growth, 0o755); err != nil {
		return err
	}
	before := loadAverage()
	rates, err := b.growCalls(ctx)
	if err != nil {
		return err
	}
	idles, err := b.growIdle(ctx)
	if err != nil {
		return err
	}
	reads, memory, missing, err := b.growTables(ctx)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		file string
		plot.Chart
	}{
		{"calls.svg", plot.Chart{Title: "Queries of one row, SQLite", X: "clients, each a front-end of its own", Y: "calls a second", Lines: rates.lines()}},
		{"schema.svg", plot.Chart{Title: "Schema reads and one edit", X: "tables", Y: "ms", Lines: linesOf(reads)}},
		{"memory.svg", plot.Chart{Title: "Resident memory of an instance after this work", X: "tables", Y: "MiB", Lines: linesOf(memory)}},
	} {
		if err := writeChart(filepath.Join(b.growth, c.file), c.Chart); err != nil {
			return err
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "# How berth grows\n\nMeasured on %s with `%s`, berth %s, %s; load average %s before and %s after.\n",
		time.Now().UTC().Format("2 January 2006, 15:04 UTC"), b.command(), berthVersion(ctx, b.programs.berth.path), place(ctx), before, loadAverage())
	rates.markdown(&s)
	s.WriteString("\n![calls](calls.svg)\n")
	idleMarkdown(&s, idles, b.settleTime())
	tablesMarkdown(&s, b.growingSizes(), append(reads, memory...))
	for kind, why := range missing {
		fmt.Fprintf(&s, "\n%s is missing: %s\n", kind, why)
	}
	s.WriteString("\n![schema reads](schema.svg)\n\n![memory](memory.svg)\n")
	return os.WriteFile(filepath.Join(b.growth, "growth.md"), []byte(s.String()), 0o644)
}

func writeChart(path string, c plot.Chart) error {
	var svg strings.Builder
	if err := c.WriteSVG(&svg); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(svg.String()), 0o644)
}

func linesOf(all []grown) []plot.Line {
	var lines []plot.Line
	for _, g := range all {
		lines = append(lines, g.line)
	}
	return lines
}

// tablesMarkdown writes a row for each measure, with the exponent of its
// growth.
func tablesMarkdown(w io.Writer, sizes []int, all []grown) {
	fmt.Fprint(w, "\n## Designs by their number of tables\n\nMedians of five calls of one caller. Growth is the exponent e of the power law c·tablesᵉ nearest to the figures: 1 is proportional, 0 constant.\n\n| |")
	for _, n := range sizes {
		fmt.Fprintf(w, " %s |", thousands(n))
	}
	fmt.Fprintf(w, " growth |\n| --- |%s --- |\n", strings.Repeat(" --- |", len(sizes)))
	for _, g := range all {
		fmt.Fprintf(w, "| %s, %s |", g.name, g.unit)
		for _, n := range sizes {
			fmt.Fprintf(w, " %s |", at(g.line.Points, float64(n)))
		}
		fmt.Fprintf(w, " %s |\n", exponent(g.line.Points))
	}
}

// at writes the figure measured at x, or a dash.
func at(points []plot.Point, x float64) string {
	for _, p := range points {
		if p.X == x {
			return fmt.Sprintf("%.3g", p.Y)
		}
	}
	return "–"
}

func exponent(points []plot.Point) string {
	if e := plot.Exponent(points); !math.IsNaN(e) {
		return fmt.Sprintf("%.2f", e)
	}
	return "–"
}

// growTables measures designs of each size on each database. missing says why
// a kind of database is not measured.
func (b *bench) growTables(ctx context.Context) (reads, memory []grown, missing map[string]string, err error) {
	missing = map[string]string{}
	for _, kind := range []struct {
		name string
		make func(ctx context.Context, n int) (database, error)
	}{{sqlite, b.sqliteFile}, {postgreSQL, postgresDatabase}, {mariaDB, mysqlDatabase}} {
		mine := sizesOf{}
		for _, n := range b.growingSizes() {
			b.say("growth: %s, %s tables", kind.name, thousands(n))
			if err := b.growOne(ctx, kind.make, n, mine); err != nil {
				missing[kind.name] = fmt.Sprintf("%s tables: %s", thousands(n), shorten(err.Error()))
				break
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, fmt.Errorf("interrupted: %w", err)
		}
		for _, name := range growingWork {
			name := name + ", " + kind.name
			reads = append(reads, grown{name, "ms", plot.Line{Name: name, Points: mine[name]}})
		}
		name := "RSS of the instance, " + kind.name
		memory = append(memory, grown{name, "MiB", plot.Line{Name: kind.name, Points: mine[rssOfInstance]}})
	}
	return reads, memory, missing, nil
}

const rssOfInstance = "rss"

// growingWork names what is measured of each size.
var growingWork = []string{openChanged, oneTable, oneEdit}

const (
	openChanged = "open a changed schema"
	oneTable    = "get-schema of one table"
	oneEdit     = "one edit"
)

// sizesOf are the figures of one kind of database, by what was measured.
type sizesOf map[string][]plot.Point

// growOne makes a database of n tables, measures and drops it.
func (b *bench) growOne(ctx context.Context, create func(context.Context, int) (database, error), n int, into sizesOf) (err error) {
	d, err := create(ctx, n-2) // item and victim come beside them
	if d.drop != nil {
		defer func() { err = errors.Join(err, d.drop()) }()
	}
	if err != nil {
		return err
	}
	if err := fill(ctx, d); err != nil {
		return err
	}
	s, err := berth{program: b.programs.berth, dir: b.dir}.onDatabase(ctx, &d)
	if err != nil {
		return err
	}
	defer s.close()
	took, err := growingCalls(ctx, s, &d)
	if err != nil {
		return err
	}
	x := float64(n)
	for _, work := range growingWork {
		name := work + ", " + d.kind
		into[name] = append(into[name], plot.Point{X: x, Y: millis(table.Quantile(took[work], .5))})
	}
	if mib, ok := residentMiB(s.instance); ok {
		into[rssOfInstance] = append(into[rssOfInstance], plot.Point{X: x, Y: mib})
	}
	return nil
}

// growingCalls makes each call of growingWork five times, in turn.
func growingCalls(ctx context.Context, s *session, d *database) (map[string][]time.Duration, error) {
	took := map[string][]time.Duration{}
	root := s.tables().Args["projectRoot"]
	design := func(args map[string]any) driver.Call {
		args["projectRoot"] = root
		return driver.Call{Tool: "mssql_schema_designer", Args: args}
	}
	for i := range 5 + warm {
		if _, err := d.db.ExecContext(ctx, fmt.Sprintf("ALTER TABLE victim ADD COLUMN c%d INT", i)); err != nil {
			return nil, err
		}
		opened, err := s.Tool(design(map[string]any{"operation": "show"}))
		if err != nil {
			return nil, fmt.Errorf("show: %w", err)
		}
		described, err := s.Tool(s.describe("item"))
		if err != nil {
			return nil, fmt.Errorf("get-schema: %w", err)
		}
		edited, err := s.Tool(design(map[string]any{"operation": "apply_edits", "payload": map[string]any{
			"expectedVersion": versionOf(opened),
			"edits":           []any{map[string]any{"op": "add_column", "table": map[string]any{"name": "item"}, "column": map[string]any{"name": fmt.Sprintf("e%d", i), "dataType": "int", "isNullable": true}}},
		}}))
		if err != nil {
			return nil, fmt.Errorf("apply_edits: %w", err)
		}
		var receipt struct{ Success bool }
		if err := json.Unmarshal([]byte(edited.Text), &receipt); err != nil || !receipt.Success {
			return nil, fmt.Errorf("apply_edits: %s", shorten(edited.Text))
		}
		if i >= warm {
			took[openChanged] = append(took[openChanged], opened.Took)
			took[oneTable] = append(took[oneTable], described.Took)
			took[oneEdit] = append(took[oneEdit], edited.Took)
		}
	}
	return took, nil
}
