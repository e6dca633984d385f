package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// VerifyRows is how many rows of a table are copied to try a plan on them. A
// table with more gives as many; what depends on all of them (NULLs,
// duplicates, references) is asked of the table itself.
const VerifyRows = 100_000

// VerifyBytes bounds, by the server's estimate of the length of a row, what is
// copied of a table.
const VerifyBytes = 256 << 20

// Verify implements [engine.Engine]. It makes the plan in a scratch database
// of the same server: the tables that it touches, and those that these refer
// to or are referred to by, as they are now, with their rows; and the views
// that it re-creates. Events are left out, so that none of them begins to act.
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) (err error) {
	if len(p.Steps) == 0 {
		return nil
	}
	source, from, err := readSource(ctx, db)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	t := &trial{source: source, from: from, plan: p, db: db}
	t.choose()
	if err := t.measure(ctx); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	if err := t.precheck(ctx); err != nil {
		return err
	}
	t.scratch, err = newScratch(ctx, db, source.charset, source.collation)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	defer func() { err = errors.Join(err, t.scratch.drop(ctx)) }()
	if err := t.fill(ctx); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	for i, step := range p.Steps {
		if err := progress.Step(i, func() error { return tryStep(ctx, t.scratch.session, i, step) }); err != nil {
			return err
		}
	}
	return nil
}

// VerifyNew implements [engine.Engine]. It makes the plan in an empty scratch
// database of the server.
func (Engine) VerifyNew(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) (err error) {
	charset, collation, err := charsetOf(ctx, db)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	x, err := newScratch(ctx, db, charset, collation)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	defer func() { err = errors.Join(err, x.drop(ctx)) }()
	if _, err := x.ExecContext(ctx, "SET SESSION sql_mode = '"+strictMode+"'"); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	for i, step := range p.Steps {
		if err := progress.Step(i, func() error { return tryStep(ctx, x.session, i, step) }); err != nil {
			return err
		}
	}
	return nil
}

// tryStep runs a step in a scratch database.
func tryStep(ctx context.Context, s *session, i int, step designer.Step) error {
	if err := runStep(ctx, s, onTrial(step.Statement)); err != nil {
		return &designer.StepError{Index: i, Step: step, Err: err}
	}
	return nil
}

// onTrial leaves a definer out: he has no rights in the scratch database, and
// a view that reads one of his could not be made there.
func onTrial(statement string) string {
	if !strings.HasPrefix(statement, "CREATE DEFINER=") && !strings.HasPrefix(statement, "CREATE OR REPLACE DEFINER=") {
		return statement
	}
	var b strings.Builder
	for _, t := range withoutDefiner(scan(statement)) {
		b.WriteString(t.Text)
	}
	return b.String()
}

// readSource reads the database as it is now.
func readSource(ctx context.Context, db *sql.DB) (s server, schema *designer.Schema, err error) {
	err = WithRetry(ctx, func() error {
		s, schema, err = readSourceOnce(ctx, db)
		return err
	})
	return s, schema, err
}

func readSourceOnce(ctx context.Context, db *sql.DB) (server, *designer.Schema, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return server{}, nil, fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	s, err := readServer(ctx, conn)
	if err != nil {
		return s, nil, err
	}
	def, err := inspect(ctx, conn)
	if err != nil {
		return s, nil, err
	}
	schema, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: s.database})
	return s, schema, err
}

// trial is one plan being tried.
type trial struct {
	db      *sql.DB
	source  server
	from    *designer.Schema
	plan    designer.Plan
	scratch *scratch

	touched map[string]*designer.Table // by name, whose rows are copied
	near    map[string]*designer.Table // by name, all that are made
	share   map[string]int             // how many rows of a touched table are copied at most, where that is not all
}

// choose finds the tables that the plan is about.
func (t *trial) choose() {
	t.touched, t.near = map[string]*designer.Table{}, map[string]*designer.Table{}
	byName := map[string]*designer.Table{}
	for _, table := range t.from.Tables() {
		byName[table.Name] = table
	}
	for _, step := range t.plan.Steps {
		for _, name := range step.Tables {
			if table := byName[name.Name]; table != nil {
				t.near[name.Name] = table
				if !creates(step) && !replacesView(step) {
					t.touched[name.Name] = table
				}
			}
		}
	}
	for _, table := range t.touched {
		for _, k := range table.ForeignKeys {
			if target := t.from.ByID(k.RefTable); target != nil {
				t.near[target.Name] = target
			}
		}
		for _, from := range t.from.Incoming(table.ID) {
			t.near[from.Name] = from
		}
	}
}

// creates reports whether the step makes a table, which the rows of those that
// it refers to do not matter to.
func creates(step designer.Step) bool { return strings.HasPrefix(step.Statement, "CREATE TABLE ") }

func replacesView(step designer.Step) bool {
	return strings.HasPrefix(step.Statement, "CREATE OR REPLACE ")
}

// fill makes the tables with their rows. Triggers come after the rows, so
// that they do nothing to them.
func (t *trial) fill(ctx context.Context) error {
	plan, err := Engine{}.Script(t.subset())
	if err != nil {
		return err
	}
	var later []string
	for _, step := range plan.Steps {
		words := code(scan(step.Statement))
		if len(later) > 0 || begins(words, "CREATE", "TRIGGER") || begins(words, "SET", "SESSION", "SQL_MODE") {
			later = append(later, step.Statement)
			continue
		}
		if _, err := t.scratch.ExecContext(ctx, step.Statement); err != nil && !carried(words) {
			return fmt.Errorf("make the database as it is now: %w", err)
		}
	}
	if err := t.copyRows(ctx); err != nil {
		return err
	}
	for _, statement := range later {
		if _, err := t.scratch.ExecContext(ctx, statement); err != nil && !carried(code(scan(statement))) {
			return fmt.Errorf("make the database as it is now: %w", err)
		}
	}
	_, err = t.scratch.ExecContext(ctx, "SET SESSION sql_mode = '"+strictMode+"'")
	return err
}

// carried reports whether a statement makes a view or a routine, which may be
// broken already, or read what is not made here.
func carried(words []sqltext.Token) bool {
	kind, _ := objectKind(words)
	return begins(words, "CREATE") && (kind == "VIEW" || kind == "FUNCTION" || kind == "PROCEDURE")
}

// subset is the schema of the tables that are made, with the foreign keys
// among them, their triggers and all sequences; where views are re-created,
// with all views and routines.
func (t *trial) subset() *designer.Schema {
	var tables []*designer.Table
	for _, table := range t.from.Tables() {
		if t.near[table.Name] == nil {
			continue
		}
		c := *table
		c.ForeignKeys = nil
		for _, k := range table.ForeignKeys {
			target := t.from.ByID(k.RefTable)
			if target == nil || t.near[target.Name] != nil {
				c.ForeignKeys = append(c.ForeignKeys, k)
			}
		}
		tables = append(tables, &c)
	}
	views := slices.ContainsFunc(t.plan.Steps, replacesView)
	var catalog designer.Catalog
	for _, o := range t.from.Objects() {
		if o.Kind == designer.ObjectSequence || o.Kind == designer.ObjectTrigger && t.near[o.Table] != nil ||
			views && o.Kind == designer.ObjectRoutine {
			catalog.Objects = append(catalog.Objects, o)
		}
	}
	if views {
		catalog.Views = t.from.Views()
	}
	s, err := designer.Restore(Dialect(), tables, &designer.Options{DefaultSchema: t.source.database,
		Catalog: catalog})
	if err != nil { // every key that is left has its table
		return designer.New(Dialect(), nil)
	}
	return s
}

// measure finds the tables that are too large to be copied whole. Of a table
// whose new foreign key concerns one of them nothing is copied: the rows it
// refers to might be those that were left out.
func (t *trial) measure(ctx context.Context) error {
	t.share = map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(t.touched)) {
		limit, err := t.rowLimit(ctx, name)
		if err != nil {
			return err
		}
		more, err := finds(ctx, t.db, fmt.Sprintf("SELECT 1 FROM %s LIMIT %d, 1", t.inSource(name), limit))
		if err != nil {
			return fmt.Errorf("count the rows of table %s: %w", name, err)
		}
		if more {
			t.share[name] = limit
		}
	}
	for again := len(t.share) > 0; again; {
		again = false
		for _, step := range t.plan.Steps {
			if creates(step) || !strings.Contains(step.Statement, "FOREIGN KEY (") || !t.concernsPart(step) {
				continue
			}
			for _, name := range step.Tables {
				if limit, part := t.share[name.Name]; t.touched[name.Name] != nil && (!part || limit > 0) {
					t.share[name.Name], again = 0, true
				}
			}
		}
	}
	return nil
}

// concernsPart reports whether a table of the step is not copied whole.
func (t *trial) concernsPart(step designer.Step) bool {
	return slices.ContainsFunc(step.Tables, func(name designer.TableName) bool {
		_, part := t.share[name.Name]
		return part
	})
}

// rowLimit is how many rows of a table are copied at most.
func (t *trial) rowLimit(ctx context.Context, name string) (int, error) {
	var length int
	err := t.db.QueryRowContext(ctx, "SELECT COALESCE(AVG_ROW_LENGTH, 0) FROM information_schema.TABLES WHERE TABLE_SCHEMA = "+
		quoteString(t.source.database)+" AND TABLE_NAME = "+quoteString(name)).Scan(&length)
	if err != nil {
		return 0, fmt.Errorf("ask for the size of table %s: %w", name, err)
	}
	if length == 0 {
		return VerifyRows, nil
	}
	return min(VerifyRows, max(1, VerifyBytes/length)), nil
}

func (t *trial) inSource(table string) string {
	return quoteName(t.source.database) + "." + quoteName(table)
}

// precheck asks the tables that are not copied whole for rows that a step
// cannot take.
func (t *trial) precheck(ctx context.Context) error {
	if len(t.share) == 0 {
		return nil
	}
	for i, step := range t.plan.Steps {
		if !t.concernsPart(step) {
			continue
		}
		for _, c := range step.Prechecks {
			found, err := finds(ctx, t.db, c.Query)
			if err != nil {
				return fmt.Errorf("verify: ask whether %s: %w", c.Problem, err)
			}
			if found {
				return &designer.StepError{Index: i, Step: step, Err: errors.New(c.Problem)}
			}
		}
	}
	return nil
}

// copyRows fills the touched tables. Rows are taken as they are, also such as
// the server would not take any more.
func (t *trial) copyRows(ctx context.Context) error {
	settings := []string{
		"SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'",
		"SET SESSION foreign_key_checks = 0",
		"SET SESSION unique_checks = 0",
		"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", // so that no row of the source is locked
	}
	if t.source.maria {
		settings = append(settings, "SET SESSION check_constraint_checks = 0")
	}
	for _, set := range settings {
		if _, err := t.scratch.ExecContext(ctx, set); err != nil {
			return fmt.Errorf("prepare to copy rows: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.touched)) {
		if _, err := t.scratch.ExecContext(ctx, t.copyStatement(name)); err != nil {
			return fmt.Errorf("copy rows of table %s: %w", name, err)
		}
	}
	settings = []string{"SET SESSION foreign_key_checks = 1", "SET SESSION unique_checks = 1"}
	if t.source.maria {
		settings = append(settings, "SET SESSION check_constraint_checks = 1")
	}
	for _, set := range settings {
		if _, err := t.scratch.ExecContext(ctx, set); err != nil {
			return fmt.Errorf("prepare to try the plan: %w", err)
		}
	}
	return nil
}

// copyStatement names every column that holds a value of its own; * would
// leave hidden ones out.
func (t *trial) copyStatement(name string) string {
	var columns []string
	for _, c := range t.touched[name].Columns {
		if !c.IsComputed {
			columns = append(columns, c.Name)
		}
	}
	text := "INSERT INTO " + quoteName(name) + " (" + quoteNames(columns) + ") SELECT " + quoteNames(columns) + " FROM " + t.inSource(name)
	if limit, part := t.share[name]; part {
		text += " LIMIT " + itoa(limit)
	}
	return text
}
