package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/tools/db/pool"
)

func newNew(a *app) *cobra.Command {
	var dialect string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "new [NAME] [DIR]",
		Short: "Start a design without a database",
		Long: `Write a design called NAME (as the project's folder unless given) into
.berth/config.yaml of the project at DIR (the working directory unless given).
No database is needed: an agent edits it with the schema designer, the page
shows it, and its server is called design. What stands in the file stays,
comments and form included. If an instance runs, the command ends once that has
the design.

The design is for SQLite unless --dialect says another: postgres, mysql,
mariadb, sqlserver or sqlite.

berth verify tries it in a scratch database: SQLite's is in memory; for the
others a connection of the project has to lead to a server of that dialect.
berth publish NAME --to CONNECTION makes its tables in a database of the same
dialect: berth connect names one.

A design of that name that is there already is left as it is. A name that
another connection has is refused.`,
		Example: `  berth new
  berth new shop --dialect postgres
  berth publish shop --to main`,
		Args: upTo(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, dir, err := a.places(cmd, args)
			if err != nil {
				return err
			}
			n, err := a.newDesign(cmd.Context(), name, dir, dialect)
			if err != nil {
				return err
			}
			return n.run(cmd.Context(), asJSON)
		},
	}
	cmd.Flags().StringVar(&dialect, "dialect", "", "whose types and rules it has (sqlite unless given)")
	completeWith(cmd, "dialect", "sqlite", "postgres", "mysql", "mariadb", "sqlserver")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// newDesigning is one run of berth new.
type newDesigning struct {
	connecting
	given bool // --dialect was
}

// newDesignReport is what berth new --json prints.
type newDesignReport struct {
	ProjectRoot string   `json:"projectRoot"`
	Name        string   `json:"name"`
	Dialect     string   `json:"dialect"`
	File        string   `json:"file"`
	Written     []string `json:"written,omitempty"` // its lines; none: it was there already
	Running     bool     `json:"running"`           // an instance serves the project
}

// newDesign settles what the design is called and what it is for.
func (a *app) newDesign(ctx context.Context, name string, dir []string, dialect string) (*newDesigning, error) {
	c, err := a.startConnecting(connectFlags{}, dir)
	if err != nil {
		return nil, err
	}
	n := &newDesigning{*c, dialect != ""}
	if n.entry.Design = settings.DialectOf(dialect); !n.given {
		n.entry.Design = settings.DialectSQLite
	}
	if n.entry.Design == "" {
		return nil, &failure{code: exitUsage, text: "no dialect is called " + quote(dialect), hint: "there are sqlite, postgres, mysql, mariadb and sqlserver"}
	}
	if n.entry.Name = name; name == "" {
		n.entry.Name = settings.NameFor(n.root)
	}
	if err := settings.CheckName(n.entry.Name); err != nil {
		return nil, &failure{code: exitUsage, cause: err, hint: "choose another NAME"}
	}
	return n, n.checkName(ctx)
}

// checkName refuses a name that another connection has, whoever names it.
func (n *newDesigning) checkName(ctx context.Context) error {
	if other, is := n.now.Connection(n.entry.Name); is && other.Design {
		if n.given && other.Dialect != n.entry.Design {
			return &failure{code: exitRefused, text: fmt.Sprintf("the design %s is there already, for %s (%s:%d): it is not changed", quote(other.Name), other.Dialect, other.File, other.Line),
				hint: "choose another NAME, or leave --dialect out"}
		}
		n.entry.Name, n.entry.Design, n.present = other.Name, other.Dialect, true
		return nil
	}
	databases, err := pool.New(n.root, connections.Options(n.now, connections.NewFinder(n.root).Find(ctx, n.now)))
	if err != nil {
		return err
	}
	defer databases.Close()
	other, is := pool.ByName(databases.Known(ctx), n.entry.Name)
	if !is {
		return nil
	}
	return &failure{code: exitRefused, text: fmt.Sprintf("the name %s is taken by a database of this project (%s): nothing was written", quote(other.Name), other.Origin),
		hint: "choose another, as in: berth new " + n.entry.Name + "-design"}
}

// run writes the design into the settings' file and says what comes next.
func (n *newDesigning) run(ctx context.Context, asJSON bool) error {
	r := newDesignReport{ProjectRoot: n.root, Name: n.entry.Name, Dialect: n.entry.Design, File: n.file()}
	if !n.present {
		if err := n.makeDraft(); err != nil {
			return err
		}
		if _, _, err := n.load(); err != nil {
			return n.explainDraft(err)
		}
		if err := n.writeFile(); err != nil {
			return err
		}
		r.Written = n.entry.Lines()
	}
	var has bool
	r.Running, has = n.served(ctx, r.Name)
	if asJSON {
		return printJSON(n.sys.Stdout, r)
	}
	n.say(r, has)
	return nil
}

// say prints what was done. has reports whether the instance has it already.
func (n *newDesigning) say(r newDesignReport, has bool) {
	say := func(format string, args ...any) { fmt.Fprintln(n.sys.Stdout, oneLine(fmt.Sprintf(format, args...))) }
	if r.Written == nil {
		say("the design %s, for %s, is there already", r.Name, r.Dialect)
	} else {
		say("wrote into %s:", r.File)
		for _, line := range r.Written {
			fmt.Fprintln(n.sys.Stdout, "  "+printable(line))
		}
		another := ""
		if !n.given {
			another = " (--dialect names another)"
		}
		say("the design %s is for %s%s and needs no database", r.Name, r.Dialect, another)
	}
	if !r.Running {
		say("next: berth serve %s", proxy.ShellWord(r.ProjectRoot))
	} else {
		say("%s", instanceHas(has))
	}
	say("an agent edits it with the schema designer, connectionName %s; berth verify %s tries it, and berth publish %s --to CONNECTION makes its tables in a database",
		r.Name, r.Name, r.Name)
}
