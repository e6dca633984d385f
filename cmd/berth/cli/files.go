package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files/rows"
)

func newFiles(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "files",
		Short: "Files that are rows of a table",
		Long: `A project, or a folder of it, can keep its files in a table of PostgreSQL or
SQLite. files.store in the settings says which; see docs/files-in-a-database.md.`,
		Example: `  berth files init --show`,
	}
	cmd.AddCommand(newFilesInit(a))
	return cmd
}

func newFilesInit(a *app) *cobra.Command {
	var show, asJSON bool
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make the table of files.store, with its index for searches",
		Long: `Make the table that files.store of the project at DIR (the working directory
unless given) names, and the index that its searches use. What is there already
stays as it is. Each statement is shown and runs as execute-sql would, once a
person allowed it.

--show prints the statements and runs none of them.`,
		Example: `  berth files init --show
  berth files init ~/src/app`,
		Args:              upTo(1),
		ValidArgsFunction: a.runningProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && !show {
				return usage(cmd, errors.New("--json asks no questions: give --show with it"))
			}
			root, err := a.root(args)
			if err != nil {
				return err
			}
			return a.filesInit(cmd.Context(), root, show, asJSON)
		},
	}
	cmd.Flags().BoolVar(&show, "show", false, "print the statements alone")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// filesInitReport is what berth files init --show --json prints.
type filesInitReport struct {
	ProjectRoot string   `json:"projectRoot"`
	Connection  string   `json:"connection"`
	Statements  []string `json:"statements"`
}

func (a *app) filesInit(ctx context.Context, root string, show, asJSON bool) error {
	home, err := a.home()
	if err != nil {
		return err
	}
	s, err := a.settings(home, root)
	if err != nil {
		return err
	}
	st := s.Files.Store
	if ask, waits := s.Waits("files.store"); st == nil && waits {
		return &failure{text: "files.store waits for your trust: the project " + ask.Words, hint: "look at it and allow it with: " + settings.TrustCommand(root)}
	}
	if st == nil {
		return &failure{text: "the settings name no table for files", hint: "write files: {store: {connection: NAME, table: files}} into .berth/config.yaml; see docs/files-in-a-database.md"}
	}
	c, _ := s.Connection(st.Connection) // the settings were refused otherwise
	statements, err := rows.Statements(c.Dialect, serve.FileRows(st))
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.sys.Stdout, filesInitReport{root, st.Connection, statements})
	}
	for _, statement := range statements {
		fmt.Fprintln(a.sys.Stdout, statement+";")
		if show {
			continue
		}
		arguments, err := json.Marshal(map[string]string{"projectRoot": root, "connection": st.Connection, "statement": statement})
		if err != nil {
			return err
		}
		if err := a.call(ctx, catalog.ExecuteSQL, arguments, false); err != nil {
			return err
		}
	}
	return nil
}
