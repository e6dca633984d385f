package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/berth-dev/berth/cmd/berth/frontend"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// A link is a command's way to the instances: the user's directory, the port
// map and a client that proves whom it talks to.
type link struct {
	home   portmap.Home
	store  *portmap.Store
	client *proxy.Client
}

// link returns a link. It reads nothing from disk. A nil logger logs nothing.
func (a *app) link(log *slog.Logger) (*link, error) {
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	store, client, err := frontend.NewClient(frontend.ClientOptions{Home: home, Getenv: a.sys.getenv, Logger: log})
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err}
	}
	return &link{home: home, store: store, client: client}, nil
}

// close gives the client's connections back.
func (l *link) close() { l.client.Close() }

// ask sends one request to the proven instance of a project.
func (l *link) ask(ctx context.Context, root, method, path string, out any) error {
	return l.explain(root, l.client.Do(ctx, root, method, path, nil, out))
}

// explain words an error of the way to an instance, with what to do about it.
func (l *link) explain(root string, err error) error {
	switch {
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
