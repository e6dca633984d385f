package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/portmap"
)

type connectFlags struct {
	name            string
	passwordCommand string
	force, json     bool
}

func newConnect(a *app) *cobra.Command {
	var flags connectFlags
	cmd := &cobra.Command{
		Use:   "connect ADDRESS [DIR]",
		Short: "Name a database in .berth/config.yaml, once it answers",
		Long: `Try the database at ADDRESS, a SQLite file or a URL, and write it as a
connection into .berth/config.yaml of the project at DIR (the working directory
unless given). What stands in that file stays, comments and form included. If
an instance runs, the command ends once that has the connection.

An ADDRESS with a password in it is refused: a command line is seen by other
programs and kept by the shell. The password is one of these:
  typed, when berth asks for it at the terminal: it is kept in berth's own
    folder, in a file that only you can read, and .berth/config.yaml gets the
    command that prints it: passwordCommand: berth password NAME
  a variable in the ADDRESS, in single quotes: 'postgres://ann:${PW}@host/db'
  --password-command, a command that prints it

What you connect to at a terminal is trusted as if you had allowed it with
berth trust, and each line of that is shown. Where the database does not answer,
nothing is written unless you --force it.`,
		Example: `  berth connect app.db
  berth connect postgres://ann@127.0.0.1:5432/shop
  berth connect 'mysql://ann:${SHOP_PASSWORD}@db.example/shop' --name shop
  berth connect sqlserver://sa@127.0.0.1?database=shop --password-command "pass show shop"`,
		Args: func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.RangeArgs(1, 2)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.newConnecting(flags, args)
			if err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.name, "name", "", "what to call it (main, unless that is taken)")
	f.StringVar(&flags.passwordCommand, "password-command", "", "a command that prints the password")
	f.BoolVar(&flags.force, "force", false, "write it though it does not answer")
	jsonFlag(cmd, &flags.json)
	return cmd
}

// connecting is one run of berth connect.
type connecting struct {
	*app
	flags    connectFlags
	home     portmap.Home
	root     string
	person   terminal
	sources  settings.Sources
	was      []byte             // of the settings' file; nil: there is none
	now      *settings.Settings // in force
	entry    settings.NewConnection
	present  bool   // it is in the file already
	password string // typed just now
	draft    []byte // the file with the entry
	report   connectReport
}

func (a *app) newConnecting(flags connectFlags, args []string) (c *connecting, err error) {
	if c, err = a.startConnecting(flags, args[1:]); err != nil {
		return nil, err
	}
	return c, c.newEntry(args[0])
}

// startConnecting reads the settings of the project at dir.
func (a *app) startConnecting(flags connectFlags, dir []string) (c *connecting, err error) {
	c = &connecting{app: a, flags: flags, person: terminal{in: a.sys.Stdin, out: a.sys.Stderr}}
	if c.home, err = a.home(); err != nil {
		return nil, err
	}
	if c.root, err = a.root(dir); err != nil {
		return nil, err
	}
	c.sources = trust.Sources(c.home, c.root, a.sys.LookupEnv)
	if err := c.readFile(); err != nil {
		return nil, err
	}
	c.now, err = settings.Load(c.root, c.sources)
	return c, err
}

// newEntry makes the connection of what was typed.
func (c *connecting) newEntry(address string) error {
	c.entry.PasswordCommand = c.flags.passwordCommand
	switch {
	case address == "":
		return &failure{code: exitUsage, text: "ADDRESS is empty", hint: "see berth connect --help"}
	case settings.HoldsPassword(address):
		return &failure{code: exitUsage, text: "the address has a password in it, which a command line must not have: other programs see it, and the shell keeps it",
			hint: "leave it out and type it when berth asks; or write '${VARIABLE}' in its place; or give --password-command. Change a password that others may have seen"}
	case strings.Contains(address, "://") || strings.HasPrefix(address, "${") || isURL(address):
		c.entry.URL = address
	default:
		path, err := c.dir([]string{address})
		if err != nil {
			return err
		}
		if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(real, filepath.Base(path))
		}
		c.entry.Path = settings.RelativePath(c.root, path)
	}
	return c.chooseName(address)
}

// isURL reports whether an address has a scheme of a database before its colon.
func isURL(address string) bool {
	word, _, ok := strings.Cut(address, ":")
	return ok && (settings.DialectOf(word) != "" || strings.EqualFold(word, "jdbc") || strings.Contains(word, "="))
}

// chooseName settles what the connection is called, and whether it is there.
func (c *connecting) chooseName(address string) error {
	taken := map[string]settings.Connection{}
	for _, other := range c.now.Connections {
		taken[strings.ToLower(other.Name)] = other
		if c.flags.name == "" && other.File == c.file() && other.Spells(c.entry) {
			c.entry.Name, c.present = other.Name, true
			return nil
		}
	}
	if name := c.flags.name; name != "" {
		if err := settings.CheckName(name); err != nil {
			return &failure{code: exitUsage, cause: err, hint: "choose another --name"}
		}
		other, is := taken[strings.ToLower(name)]
		if is && other.File == c.file() && !other.Spells(c.entry) {
			return &failure{code: exitRefused, text: fmt.Sprintf("%s:%d has a connection %s already, with another address: it is not overwritten", c.file(), other.Line, quote(other.Name)),
				hint: "change that line by hand, or choose another --name"}
		}
		c.entry.Name, c.present = name, is && other.File == c.file()
		if c.present {
			c.entry.Name = other.Name
		}
		return nil
	}
	name := "main"
	if _, is := taken[name]; is {
		name = settings.NameFor(address)
	}
	c.entry.Name = name
	for n := 2; ; n++ {
		if _, is := taken[strings.ToLower(c.entry.Name)]; !is {
			return nil
		}
		c.entry.Name = fmt.Sprintf("%s-%d", name, n)
	}
}

// file is that which the connection is written into.
func (c *connecting) file() string { return settings.ProjectFile(c.root) }

// run asks for the password, tries the connection and writes it.
func (c *connecting) run(ctx context.Context) error {
	if err := c.askPassword(ctx); err != nil {
		return err
	}
	if err := c.makeDraft(); err != nil {
		return err
	}
	found, asks, err := c.load()
	if err != nil {
		return c.explainDraft(err)
	}
	waiting := settings.Untrusted(asks)
	if len(waiting) > 0 && !c.person.present() && !c.flags.force {
		return &failure{code: exitRefused, text: "nothing was written: a person has to do this at a terminal, since it " + waiting[0].Words,
			hint: "run it where you can type; or write it untried with --force, and allow it with: " + settings.TrustCommand(c.root)}
	}
	trusts := len(waiting) > 0 && c.person.present()
	c.report = connectReport{ProjectRoot: c.root, Name: c.entry.Name, File: c.file(), Password: c.passwordKind()}
	if len(waiting) == 0 || trusts {
		c.report.Test = c.try(ctx, found)
	} else {
		c.report.Test = connectTest{Problem: "not tried: it waits for your trust", Hint: "allow it with: " + settings.TrustCommand(c.root)}
	}
	if !c.report.Test.OK && !c.flags.force {
		return c.failed()
	}
	if err := c.keep(ctx, waiting, trusts); err != nil {
		return err
	}
	return c.print(ctx)
}

// failed ends a run whose test failed: nothing was written.
func (c *connecting) failed() error {
	t := c.report.Test
	if c.flags.json {
		if err := printJSON(c.sys.Stdout, c.report); err != nil {
			return err
		}
		return errSilent
	}
	return &failure{code: exitFailed, text: t.Problem + ". Nothing was written", hint: t.Hint + "; then connect again, or write it as it is with --force"}
}

// explainDraft words what is wrong with the file as it would be: it is what
// was typed.
func (c *connecting) explainDraft(err error) error {
	var file *settings.FileError
	if !errors.As(err, &file) {
		return err
	}
	return &failure{code: exitUsage, text: "nothing was written: " + strings.TrimPrefix(file.Key, "connections.") + ": " + file.Problem,
		hint: cmp.Or(file.Advice, "see berth connect --help for addresses")}
}

// askPassword has the person type the password of a server that the address
// names a user for, and none.
func (c *connecting) askPassword(ctx context.Context) error {
	if c.entry.URL == "" || c.entry.PasswordCommand != "" || strings.Contains(c.entry.URL, "${") || !c.person.present() || c.flags.json {
		return nil
	}
	address, err := settings.ParseAddress("", c.entry.URL)
	if err != nil || address.Dialect == settings.DialectSQLite || address.Server.User == "" {
		return nil // the draft says what is wrong
	}
	stdin, ok := c.sys.Stdin.(*os.File)
	if !ok {
		return nil
	}
	back, err := withoutEcho(stdin)
	if err != nil {
		return &failure{code: exitRefused, text: "the password would be shown while you type it", cause: err, hint: "give --password-command, or '${VARIABLE}' in the address"}
	}
	stop := context.AfterFunc(ctx, back)
	defer stop()
	c.password = c.person.askSecret("Password of " + printable(address.Server.User) + " (it is not shown; empty: none): ")
	back()
	fmt.Fprintln(c.sys.Stderr)
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.password != "" {
		c.entry.PasswordCommand = "berth password " + c.entry.Name
	}
	return nil
}
