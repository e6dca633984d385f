package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/berth-dev/berth/cmd/berth/frontend"
	"github.com/berth-dev/berth/cmd/berth/hosts"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// A link is a command's way to the instances: the user's directory, the port
// map and a client that proves whom it talks to.
type link struct {
	home   portmap.Home
	store  *portmap.Store
	client *proxy.Client
	hosts  *hosts.Directory
}

// link returns a link. It reads nothing from disk. A nil logger logs nothing.
func (a *app) link(log *slog.Logger) (*link, error) {
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	others := hosts.New(home, false)
	store, client, err := frontend.NewClient(frontend.ClientOptions{Home: home, Getenv: a.sys.getenv, Logger: log, Hosts: others})
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err}
	}
	return &link{home: home, store: store, client: client, hosts: others}, nil
}

// close gives the client's connections back and ends the relays.
func (l *link) close() {
	l.client.Close()
	l.hosts.Close()
}

// ask sends one request to the proven instance of a project.
func (l *link) ask(ctx context.Context, root, method, path string, out any) error {
	return l.explain(root, l.client.Do(ctx, root, method, path, nil, out))
}

// explain words an error of the way to an instance, with what to do about it.
func (l *link) explain(root string, err error) error {
	var way *proxy.WayError
	host, path, far := proxy.SplitHost(root)
	switch {
	case errors.As(err, &way):
		return &failure{code: exitBusy, text: fmt.Sprintf("the host %s cannot be reached", way.Host), cause: way.Cause, hint: "see berth hosts"}
	case errors.Is(err, proxy.ErrNoHost):
		return &failure{code: exitUsage, text: "no host is named " + quote(host), hint: "see berth hosts, and berth hosts add --help"}
	case far && errors.Is(err, portmap.ErrNotAbsolute):
		return &failure{code: exitUsage, text: "the path behind the host's name is not absolute: " + quote(path)}
	case far && errors.Is(err, fs.ErrNotExist):
		return &failure{code: exitUsage, text: "project " + path + " does not exist on the host " + host}
	case far && errors.Is(err, proxy.ErrNotRunning):
		return &failure{code: exitNotRunning, text: "nothing serves " + root, hint: "start it there with: berth serve " + proxy.ShellWord(path)}
	case far && errors.Is(err, proxy.ErrNoAnswer):
		return &failure{code: exitBusy, text: "the instance of " + root + " does not answer", hint: "end it there with: berth stop --force " + proxy.ShellWord(path)}
	case errors.Is(err, proxy.ErrNotRunning):
		return notRunning(root)
	case errors.Is(err, proxy.ErrNoAnswer):
		return &failure{code: exitBusy, text: fmt.Sprintf("the instance of %s does not answer", root),
			hint: "see berth doctor; end it with: berth stop --force " + proxy.ShellWord(root)}
	}
	return err
}

// notRunning is the error of every command that needs an instance.
func notRunning(root string) error {
	return &failure{code: exitNotRunning, text: "nothing serves " + root, hint: "start it with: berth serve " + proxy.ShellWord(root)}
}
