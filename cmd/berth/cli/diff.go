package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newDiff(a *app) *cobra.Command {
	var sql, asJSON bool
	cmd := &cobra.Command{
		Use:   "diff [CONNECTION] [DIR]",
		Short: "Show what publishing the design would change in the database",
		Long: `Show how the schema design of a connection differs from its database, which is
read again first. "no changes" means that both agree. --sql prints the script
that berth publish would run, exactly; nothing is run.

CONNECTION is the active designer's unless given, DIR the working directory. A
DIR is written as a path, as in ./app.`,
		Example: `  berth diff
  berth diff main --sql`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if sql && asJSON {
				return usage(cmd, errors.New("--sql and --json exclude each other"))
			}
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				if sql {
					return a.printPlan(cmd.Context(), l, root, connection)
				}
				if asJSON {
					r, err := a.changes(cmd.Context(), l, root, connection)
					if err != nil {
						return err
					}
					return a.printReply(r)
				}
				_, err := a.printChanges(cmd.Context(), l, root, connection)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&sql, "sql", false, "print the script instead of a summary")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// designChange is one difference, as the designer words it.
type designChange struct {
	Kind  string `json:"kind"`
	Table struct {
		Schema string `json:"schema"`
		Name   string `json:"name"`
	} `json:"table"`
	Name   string   `json:"name"`
	Was    string   `json:"was"`
	Fields []string `json:"fields"`
}

// blockedTable is one whose changes cannot be published, and why.
type blockedTable struct {
	Table struct {
		Schema string `json:"schema"`
		Name   string `json:"name"`
	} `json:"table"`
	Reason  string `json:"reason"`
	Changes int    `json:"changes"`
}

// String is a line of the summary.
func (b blockedTable) String() string {
	return printable(fmt.Sprintf("blocked: table %s.%s, %d change(s): %s", b.Table.Schema, b.Table.Name, b.Changes, b.Reason))
}

// designConflict is one thing that design and database have both changed.
type designConflict struct {
	ID   string `json:"id"`
	Base string `json:"base"`
	Ours string `json:"design"`
	Is   string `json:"database"`
}

// String is the conflict's id, as --choose takes it, and what there is to
// choose from.
func (c designConflict) String() string {
	text := "conflict " + c.ID
	if c.Base+c.Ours+c.Is != "" {
		text += fmt.Sprintf(" (was %s; design %s, database %s)", c.Base, c.Ours, c.Is)
	}
	return printable(text)
}

// String is a line of the summary: "rename column dbo.Orders.Note (was Memo)".
func (c designChange) String() string {
	text := strings.ReplaceAll(c.Kind, "_", " ") + " "
	if c.Table.Name != "" {
		text += c.Table.Schema + "." + c.Table.Name
	}
	if c.Name != "" {
		if c.Table.Name != "" {
			text += "."
		}
		text += c.Name
	}
	if c.Was != "" {
		text += " (was " + c.Was + ")"
	}
	if len(c.Fields) > 0 {
		text += ": " + strings.Join(c.Fields, ", ")
	}
	return printable(text)
}

// printChanges prints the summary.
func (a *app) printChanges(ctx context.Context, l *link, root, connection string) (*designReply, error) {
	r, err := a.changes(ctx, l, root, connection)
	if err != nil {
		return nil, err
	}
	for _, c := range r.Changes {
		fmt.Fprintln(a.sys.Stdout, c)
	}
	a.printStanding(r)
	return r, nil
}

// changes asks what publishing would change, all pages of it.
func (a *app) changes(ctx context.Context, l *link, root, connection string) (*designReply, error) {
	offset := 0
	var changes []designChange
	var conflicts []designConflict
	for {
		r, err := a.design(ctx, l, root, designCall{operation: "get_changes", connection: connection,
			options: map[string]any{"offset": offset}})
		if err != nil {
			return nil, err
		}
		conflicts = append(conflicts, r.Conflicts...)
		changes = append(changes, r.Changes...)
		if offset = r.NextOffset; offset == 0 {
			r.Changes, r.Conflicts = changes, conflicts
			return r, nil
		}
	}
}

// printStanding prints what is to be known beside the changes.
func (a *app) printStanding(r *designReply) {
	out := a.sys.Stdout
	if r.Message != "" {
		fmt.Fprintln(out, printable(r.Message))
	}
	if i := r.Interrupted; i != nil {
		fmt.Fprintln(out, printable(fmt.Sprintf("%d statement(s) are made; next: %s", i.Applied, i.Next)))
	}
	for _, c := range r.Conflicts {
		fmt.Fprintln(out, c)
	}
	if r.Steps > 0 {
		fmt.Fprintf(out, "%d statement(s)", r.Steps)
		if len(r.Risks) > 0 {
			fmt.Fprint(out, "; risks: ", strings.ReplaceAll(strings.Join(r.Risks, ", "), "_", " "))
		}
		fmt.Fprintln(out)
	}
	for _, b := range r.Blocked {
		fmt.Fprintln(out, b)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, printable("note: "+n))
	}
}

// printPlan prints the script that publish would run.
func (a *app) printPlan(ctx context.Context, l *link, root, connection string) error {
	r, err := a.design(ctx, l, root, designCall{operation: "export", connection: connection,
		payload: map[string]any{"format": "plan"}})
	if err != nil {
		return err
	}
	if r.Bytes == 0 {
		_, err := a.printChanges(ctx, l, root, connection)
		return err
	}
	for _, n := range r.Notes { // not into the script, which may be piped
		fmt.Fprintln(a.sys.Stderr, printable("note: "+n))
	}
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(r.Path)))
	if err != nil {
		return fmt.Errorf("read the script: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	_, err = io.Copy(exact(a.sys.Stdout), f)
	return err
}
