package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/berth-dev/berth/cmd/berth/logfile"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/farpage"
)

// openFar shows the page of a project of another machine until ctx ends.
func (a *app) openFar(ctx context.Context, project string, print bool) error {
	home, err := a.home()
	if err != nil {
		return err
	}
	file := logfile.New(home.LogFile())
	defer func() { _ = file.Close() }()
	log := logfile.NewLogger(io.Discard, file, false).With("page", project)
	l, err := a.link(log)
	if err != nil {
		return err
	}
	defer l.close()
	page, err := a.farPage(l, project, log)
	if err != nil {
		return err
	}
	show, cancel := context.WithCancel(ctx)
	defer cancel()
	served := make(chan error, 1)
	go func() { served <- page.Serve(show) }()
	if err := a.leadTo(ctx, l, page, project, print); err != nil {
		cancel()
		<-served
		return err
	}
	fmt.Fprintf(a.sys.Stderr, "showing %s at %s until Ctrl-C\n", printable(project), page.URL())
	return <-served
}

// farPage returns the server of the page, on a port that is free.
func (a *app) farPage(l *link, project string, log *slog.Logger) (*farpage.Server, error) {
	host, path, _ := proxy.SplitHost(project)
	way, err := l.hosts.Way(host)
	if err != nil {
		return nil, l.explain(project, err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a port for the page: %w", err)
	}
	opts := farpage.Options{Way: way, Host: host, Path: path, Listener: listener, SignInDir: signInDir(l.home, a.sys.getenv), Logger: log}
	if hasDesktop(a.sys.getenv) {
		opts.OpenBrowser = openBrowser
	}
	page, err := farpage.New(opts)
	if err != nil {
		_ = listener.Close()
		return nil, err
	}
	if err := page.Err(); err != nil {
		fmt.Fprintf(a.sys.Stderr, "warning: other users of this machine can reach this page, which asks them for a key: %v\n", err)
	}
	return page, nil
}

// leadTo opens a browser at the page, signed in, or prints the address.
func (a *app) leadTo(ctx context.Context, l *link, page *farpage.Server, project string, print bool) error {
	if print {
		url, err := page.SignInURL(ctx)
		if err != nil {
			return l.explain(project, err)
		}
		_, err = fmt.Fprintln(a.sys.Stdout, url)
		return err
	}
	path, err := page.SignInFile(ctx)
	if err != nil {
		return l.explain(project, err)
	}
	if err := openBrowser(ctx, path); err != nil {
		return &failure{text: "open the browser", cause: err, hint: "print the address with: berth open --print " + proxy.ShellWord(project)}
	}
	return nil
}
