package mysql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

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
