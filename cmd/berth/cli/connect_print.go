package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
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
	var has bool
	wanted := ""
	if c.report.Test.OK { // else it may wait for trust
		wanted = c.report.Name
	}
	c.report.Running, has = c.served(ctx, wanted)
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
		say("%s", instanceHas(has))
	} else {
		say("next: berth serve %s", proxy.ShellWord(r.ProjectRoot))
	}
	return nil
}

// takeIn is how long a command waits for the instance to have what it wrote.
const takeIn = 5 * time.Second

// served reports whether an instance serves the project now, and waits until it
// has the connection that was written, unless name is "": what is typed next
// finds it.
func (c *connecting) served(ctx context.Context, name string) (running, has bool) {
	l, err := c.link(nil)
	if err != nil {
		return false, false
	}
	defer l.close()
	port, ok, err := l.store.Lookup(c.root)
	if err != nil || !ok {
		return false, false
	}
	ctx, cancel := context.WithTimeout(ctx, takeIn)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		p := l.lookAt(ctx, c.root, port)
		if ctx.Err() != nil {
			return running, false
		}
		running = p.State == stateLive
		has = slices.ContainsFunc(p.Databases, func(d wire.Database) bool { return d.Name == name })
		if !running || has || name == "" || len(p.Databases) == wire.MaxDatabases { // there may be more than are listed
			return running, has
		}
		select {
		case <-ctx.Done():
			return running, false
		case <-again.C:
		}
	}
}

// instanceHas says whether the instance that runs has a connection.
func instanceHas(has bool) string {
	if has {
		return "the instance that runs has it"
	}
	return "the instance that runs has it in a moment"
}
