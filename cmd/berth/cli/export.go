package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newExport(a *app) *cobra.Command {
	var to, dialect string
	var overwrite, owners, asJSON bool
	cmd := &cobra.Command{
		Use:   "export FORMAT [CONNECTION] [DIR]",
		Short: "Write the design to a file: sql, dbml, prisma, mermaid, markdown or json",
		Long: `Write the schema design of a connection to a file of the project:

  sql       a script that makes all of it in an empty database
  plan      the script that berth publish would run
  dbml      for dbdiagram.io and its relatives
  prisma    a Prisma schema
  mermaid   an entity relationship diagram
  markdown  documentation: tables, columns, keys, comments and a diagram
  json      the whole model

The file is .berth/exports/CONNECTION.… unless --to names another one below
the project. --dialect writes SQL for sqlite, postgres, mysql or mssql; what
is lost on the way is said, and so is what a Prisma schema cannot say. SQL of
PostgreSQL is without owners and GRANTs, which its first lines count; --owners
writes them too.`,
		Example: `  berth export sql
  berth export dbml main --to docs/schema.dbml
  berth export markdown --to docs/schema.md --overwrite
  berth export sql --dialect postgres`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 3)(cmd, args)) },
		ValidArgsFunction: a.afterFirst([]cobra.Completion{"sql", "plan", "dbml", "prisma", "mermaid", "markdown", "json"}),
		RunE: func(cmd *cobra.Command, args []string) error {
			payload := map[string]any{"format": args[0]}
			if dialect != "" {
				payload["dialect"] = dialect
			}
			return a.withDesign(cmd, args[1:], func(l *link, root, connection string) error {
				if to != "" {
					payload["path"] = a.below(root, to)
				}
				c := designCall{operation: "export", connection: connection, payload: payload}
				options := map[string]any{}
				if overwrite {
					options["overwrite"] = true
				}
				if owners {
					options["owners"] = true
				}
				if len(options) > 0 {
					c.options = options
				}
				r, err := a.design(cmd.Context(), l, root, c)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printReply(r)
				}
				fmt.Fprintf(a.sys.Stdout, "%s  %d bytes  sha256 %s\n", r.Path, r.Bytes, r.SHA256)
				a.printStanding(r)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the file, below the project")
	cmd.Flags().StringVar(&dialect, "dialect", "", "write SQL for another kind of database")
	completeWith(cmd, "dialect", "sqlite", "postgres", "mysql", "mssql")
	cmd.Flags().BoolVar(&owners, "owners", false, "write owners and GRANTs too (PostgreSQL)")
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "replace a file that is there")
	jsonFlag(cmd, &asJSON)
	return cmd
}
