package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/berth-dev/berth/cmd/berth/build"
)

// newMan writes the manual. It is hidden: packages are made with it, and what
// it says is what --help says.
func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages, for packages",
		Hidden: true,
		Args:   func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.ExactArgs(1)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.dir(args)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return writeManual(cmd.Root(), dir)
		},
	}
}

// writeManual writes a page for a command, and for each one below it that its
// help lists.
func writeManual(cmd *cobra.Command, dir string) error {
	name := manName(cmd) + ".1"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(manPage(cmd)), 0o644); err != nil {
		return err
	}
	for _, sub := range listed(cmd) {
		if err := writeManual(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// listed are the commands below one that its help lists.
func listed(cmd *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, sub)
		}
	}
	return list
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's help in the man macros of roff. Text keeps its lines:
// the help is written for a terminal.
func manPage(cmd *cobra.Command) string {
	p := &manText{}
	b := build.Read()
	day, _, _ := strings.Cut(b.Date, "T")
	p.macro("TH", strings.ToUpper(manName(cmd)), "1", day, "berth "+b.Version, "berth")
	p.macro("SH", "NAME")
	p.line(strings.ReplaceAll(manName(cmd), "-", `\-`) + ` \- ` + roff(cmd.Short))
	p.macro("SH", "SYNOPSIS")
	p.verbatim(cmd.UseLine())
	p.macro("SH", "DESCRIPTION")
	p.verbatim(cmd.Long)
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	if subs := listed(cmd); len(subs) > 0 {
		p.macro("SH", "COMMANDS")
		for _, sub := range subs {
			p.macro("TP")
			p.line(`\fB` + roff(sub.CommandPath()) + `\fR`)
			p.line(roff(sub.Short))
		}
	}
	if cmd.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.verbatim(cmd.Example)
	}
	p.seeAlso(cmd)
	return p.String()
}

// manText is roff as it grows.
type manText struct{ strings.Builder }

func (p *manText) line(s string) { p.WriteString(s + "\n") }

func (p *manText) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, arg := range args {
		fmt.Fprintf(p, ` "%s"`, strings.ReplaceAll(roff(arg), `"`, `\(dq`))
	}
	p.WriteString("\n")
}

// verbatim keeps lines and spaces.
func (p *manText) verbatim(text string) {
	p.line(".nf")
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		p.line(roff(line))
	}
	p.line(".fi")
}

func (p *manText) flags(title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	p.macro("SH", title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, words := pflag.UnquoteUsage(f)
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		p.macro("TP")
		p.line(`\fB` + roff(names) + `\fR ` + roff(value))
		p.line(roff(words))
	})
}

// seeAlso names the page above, or those below.
func (p *manText) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent()))
	}
	for _, sub := range listed(cmd) {
		pages = append(pages, manName(sub))
	}
	for i, page := range pages {
		pages[i] = `\fB` + roff(page) + `\fR(1)`
	}
	p.macro("SH", "SEE ALSO")
	p.line(strings.Join(pages, ",\n"))
}

// roff is a line of plain text as roff prints it, whatever it begins with.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
