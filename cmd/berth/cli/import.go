package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newImport(a *app) *cobra.Command {
	var format, dialect string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "import FILE [CONNECTION] [DIR]",
		Short: "Take the tables of a .sql, .dbml, .prisma or .json file into the design",
		Long: `Take the tables that a file of the project defines into the schema design, as
one undoable batch: SQL, as people write it and as mysqldump, mariadb-dump,
pg_dump, SQL Server Management Studio and .dump of SQLite do, DBML, a Prisma
schema, or a design that berth export wrote as json.

SQL of the connection's own dialect is run by its server in a scratch database,
which is read and dropped. SQL of another one is known by its marks, or by
--dialect, read from its text and taken into the design's dialect. No database
is changed. What else the file says, views, triggers and rows among it, is left
out and listed, and so is what cannot be read of it, with its line.`,
		Example: `  berth import schema.dbml
  berth import prisma/schema.prisma
  berth import dump.sql main --dialect mysql --dry-run`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 3)(cmd, args)) },
		ValidArgsFunction: a.afterFirst(nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesign(cmd, args[1:], func(l *link, root, connection string) error {
				now, err := a.design(cmd.Context(), l, root, designCall{operation: "get_overview", connection: connection,
					options: map[string]any{"includeColumns": "none", "limit": 1}})
				if err != nil {
					return err
				}
				payload := map[string]any{"path": a.below(root, args[0]), "expectedVersion": now.Version}
				for name, value := range map[string]string{"format": format, "dialect": dialect} {
					if value != "" {
						payload[name] = value
					}
				}
				r, err := a.design(cmd.Context(), l, root, designCall{operation: "import", connection: connection,
					payload: payload, options: map[string]any{"dryRun": dryRun}})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printReply(r)
				}
				fmt.Fprintln(a.sys.Stdout, importWords(now.Version, r.Version, dryRun), r.Version)
				if as := r.Receipt.ReadAs; as != nil {
					fmt.Fprintln(a.sys.Stdout, printable("note: "+as.words()))
				}
				for _, w := range r.Receipt.Warnings {
					fmt.Fprintln(a.sys.Stdout, printable("note: "+w))
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "sql, dbml, prisma or json; by the file's ending unless given")
	cmd.Flags().StringVar(&dialect, "dialect", "", "that SQL, a Prisma schema or json is of; by its marks unless given")
	completeWith(cmd, "format", "sql", "dbml", "prisma", "json")
	completeWith(cmd, "dialect", "sqlite", "postgres", "mysql", "mssql")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "validate only")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// importWords say what an import did, before the design's version.
func importWords(before, after string, dryRun bool) string {
	switch {
	case dryRun:
		return "it can be imported; nothing was changed, the design is at version"
	case before == after:
		return "nothing to import: the design has it already, at version"
	}
	return "imported; the design is at version"
}

// readAs says as what a text was read, where that is not plain.
type readAs struct {
	Format  string `json:"format,omitzero"`
	Dialect string `json:"dialect,omitzero"`
	Because string `json:"because,omitzero"`
	Line    int    `json:"line,omitzero"`
	ByText  bool   `json:"byText,omitzero"`
}

// words say it in a line.
func (r readAs) words() string {
	text := "read as " + r.Format
	if r.Dialect != "" {
		text += " of " + r.Dialect
	}
	if r.Because != "" {
		text += fmt.Sprintf(", by line %d: %s", r.Line, r.Because)
	}
	if r.ByText {
		text += "; no server read it"
	}
	return text
}
