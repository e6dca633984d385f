package cli

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/proxy"
)

// connectReport is what berth connect --json prints.
type connectReport struct {
	ProjectRoot  string      `json:"projectRoot"`
	Name         string      `json:"name"`
	File         string      `json:"file"`
	Written      []string    `json:"written,omitempty"` // its lines; none: it was there already
	Password     string      `json:"password"`          // none, variable, command or kept
	PasswordFile string      `json:"passwordFile,omitempty"`
	Trusted      []string    `json:"trusted,omitempty"` // what was trusted with it
	Running      bool        `json:"running"`           // an instance serves the project
	Test         connectTest `json:"test"`
}

// passwordKind says where the password comes from.
func (c *connecting) passwordKind() string {
	switch {
	case c.password != "":
		return "kept"
	case c.entry.PasswordCommand != "":
		return "command"
	case variableIn(c.entry.URL):
		return "variable"
	}
	return "none"
}

// variableIn reports whether an address takes a variable.
func variableIn(address string) bool {
	for i := 0; i+1 < len(address); i++ {
		if address[i] == '$' && address[i+1] == '{' {
			return true
		}
	}
	return false
}

// print says what was done, and what comes next.
func (c *connecting) print(ctx context.Context) error {
	c.report.Running = c.served(ctx)
	if c.flags.json {
		return printJSON(c.sys.Stdout, c.report)
	}
	say := func(format string, args ...any) { fmt.Fprintln(c.sys.Stdout, oneLine(fmt.Sprintf(format, args...))) }
	r := c.report
	if r.Test.OK {
		say("connection %s answers: %s %s, %s; %s", r.Name, r.Test.Dialect, r.Test.Place, r.Test.Version, r.Test.Privileges)
	} else {
		say("connection %s: %s; %s", r.Name, r.Test.Problem, r.Test.Hint)
	}
	if r.PasswordFile != "" {
		say("kept the password in %s, which only you can read", r.PasswordFile)
	}
	for _, words := range r.Trusted {
		say("trusted: it %s", words)
	}
	if r.Written == nil {
		say("%s has it already", r.File)
	} else {
		say("wrote into %s:", r.File)
		for _, line := range r.Written {
			fmt.Fprintln(c.sys.Stdout, "  "+printable(line))
		}
	}
	if r.Running {
		say("the instance that runs has it in a moment")
	} else {
		say("next: berth serve %s", proxy.ShellWord(r.ProjectRoot))
	}
	return nil
}

// served reports whether an instance serves the project now.
func (c *connecting) served(ctx context.Context) bool {
	l, err := c.link(nil)
	if err != nil {
		return false
	}
	defer l.close()
	port, ok, err := l.store.Lookup(c.root)
	return err == nil && ok && l.lookAt(ctx, c.root, port).State == stateLive
}
