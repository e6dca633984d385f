package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// envFirstPort moves the first port an instance claims. It is for tests that
// run side by side on one machine and is not for users: a front-end finds an
// instance by the map, so nothing else depends on it.
const envFirstPort = "BERTH_FIRST_PORT"

// A link is a command's way to the instances: the user's directory, the port
// map and a client that proves whom it talks to.
type link struct {
	home   portmap.Home
	store  *portmap.Store
	client *proxy.Client
}

// linkOptions are the parts of a link that differ between commands.
type linkOptions struct {
	logger    *slog.Logger                                 // nil: nothing is logged
	autostart func(ctx context.Context, root string) error // nil: off
}

// link returns a link. It reads nothing from disk.
func (a *app) link(opts linkOptions) (*link, error) {
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	first, err := a.firstPort()
	if err != nil {
		return nil, err
	}
	if opts.logger == nil {
		opts.logger = slog.New(slog.DiscardHandler)
	}
	store := portmap.NewStore(home.MapFile(), &portmap.Options{FirstPort: first, Logger: opts.logger})
	client := proxy.NewClient(proxy.Options{
		Home: home, Store: store, Version: buildOf().Version,
		Logger: opts.logger, Autostart: opts.autostart,
	})
	return &link{home: home, store: store, client: client}, nil
}

func (a *app) firstPort() (int, error) {
	text := a.sys.getenv(envFirstPort)
	if text == "" {
		return 0, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return 0, &failure{code: exitUsage, text: envFirstPort + " must be a port from 1 to 65535, not " + quote(text)}
	}
	return port, nil
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
