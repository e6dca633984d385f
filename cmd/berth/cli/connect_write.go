package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/passwords"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/tools/db/pool"
)

// readFile reads the settings' file as it is.
func (c *connecting) readFile() error {
	was, err := settings.ReadFile(c.file())
	if errors.Is(err, settings.ErrNoFile) {
		return &failure{code: exitRefused, text: c.file() + " is no regular file, and is not written to", hint: "put a file of its own there"}
	}
	c.was = was
	return err
}

// makeDraft works out the file with the connection in it, and checks that it
// means what the file meant before and the connection.
func (c *connecting) makeDraft() error {
	c.draft = c.was
	if c.present {
		return c.checkPresent()
	}
	draft, err := settings.Insert(c.was, c.entry)
	if err == nil {
		c.draft = slices.Concat([]byte{}, draft)
		return nil
	}
	return &failure{code: exitRefused, text: c.file() + ": nothing was written", cause: err,
		hint: "write it in by hand: " + strings.Join(c.entry.Lines(), " / ")}
}

// checkPresent takes a connection that is there as it is.
func (c *connecting) checkPresent() error {
	other, _ := c.now.Connection(c.entry.Name)
	if c.password == "" || other.PasswordCommand() == c.entry.PasswordCommand {
		return nil // with another password, if one was typed
	}
	return &failure{code: exitRefused, text: fmt.Sprintf("%s:%d has the connection without this password", c.file(), other.Line),
		hint: "write beside its url: passwordCommand: " + c.entry.PasswordCommand + "; then connect again"}
}

// load reads the draft's connection, as it is once it is trusted, and what it
// asks.
func (c *connecting) load() (*settings.Settings, []settings.Ask, error) {
	src := c.sources
	if src.Draft = c.draft; src.Draft == nil {
		src.Draft = []byte{}
	}
	set, err := settings.Load(c.root, src)
	if err != nil {
		return nil, nil, err
	}
	mine, ok := set.Connection(c.entry.Name)
	if !ok || !c.now.SameBut(set, c.entry.Name) {
		return nil, nil, &failure{code: exitRefused, text: c.file() + ": nothing was written", cause: settings.ErrForm,
			hint: "write it in by hand: " + strings.Join(c.entry.Lines(), " / ")}
	}
	trusted := src.Trusted
	src.Trusted = func(digest string) bool {
		return trusted(digest) || slices.ContainsFunc(mine.Asks, func(a settings.Ask) bool { return a.Digest == digest })
	}
	if set, err = settings.Load(c.root, src); err != nil {
		return nil, nil, err
	}
	if c.password != "" {
		for i := range set.Connections {
			if set.Connections[i].Name == c.entry.Name {
				set.Connections[i].Server.Password = settings.NewSecret(c.password)
			}
		}
	}
	return set, mine.Asks, nil
}

// connectTest is how the database answered.
type connectTest struct {
	OK         bool   `json:"ok"`
	Dialect    string `json:"dialect,omitempty"`
	Place      string `json:"place,omitempty"`
	Version    string `json:"version,omitempty"`
	Privileges string `json:"privileges,omitempty"`
	Problem    string `json:"problem,omitempty"`
	Hint       string `json:"hint,omitempty"`
}

// try asks the database for its version and for what the login may do.
func (c *connecting) try(ctx context.Context, set *settings.Settings) connectTest {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	opts := connections.Options(set, connections.NewFinder(c.root).Find(ctx, set))
	cfg, _ := pool.ByName(opts.Connections, c.entry.Name)
	databases, err := pool.New(c.root, pool.Options{Connections: []pool.Config{cfg}, NoDiscovery: true, Timeout: opts.Timeout})
	if err != nil {
		return connectTest{Problem: err.Error(), Hint: "check whether the folder is there"}
	}
	defer databases.Close()
	info := databases.List(ctx)[0]
	t := connectTest{Dialect: info.Dialect, Place: info.Place()}
	if info.Err != nil {
		t.Problem, t.Hint = info.Err.Error(), hintOf(info.Err)
		if t.Hint == "" {
			t.Hint = "check the address"
		}
		return t
	}
	t.OK, t.Version, t.Privileges = true, info.Version, info.Privileges.String()
	return t
}

// keep writes what was typed: the password first, then what is trusted, then
// the file, which a running instance watches.
func (c *connecting) keep(ctx context.Context, waiting []settings.Ask, trusts bool) error {
	if _, err := secureHome(c.home); err != nil {
		return err
	}
	if c.password != "" {
		if err := passwords.Put(c.home, c.root, c.entry.Name, c.password); err != nil {
			return err
		}
		c.report.PasswordFile = c.home.PasswordsFile(c.root)
	}
	if trusts {
		present := append(connections.NewFinder(c.root).Find(ctx, c.now).Asks, waiting...)
		if err := trust.Add(c.home, c.root, present, waiting); err != nil {
			return err
		}
		for _, ask := range waiting {
			c.report.Trusted = append(c.report.Trusted, ask.Words)
		}
	}
	if c.present {
		return nil
	}
	c.report.Written = c.entry.Lines()
	return c.writeFile()
}

// writeFile replaces the settings' file if it is still what was read.
func (c *connecting) writeFile() error {
	err := settings.ReplaceFile(c.file(), c.was, c.draft)
	if errors.Is(err, settings.ErrChanged) {
		return &failure{code: exitBusy, text: c.file() + " was changed meanwhile: nothing was written", hint: "connect again"}
	}
	return err
}
