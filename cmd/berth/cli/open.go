package cli

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/proxy"
)

func newOpen(a *app) *cobra.Command {
	var print bool
	var host string
	cmd := &cobra.Command{
		Use:   "open [DIR]",
		Short: "Open a project's designer page, signed in",
		Long: `Open the designer page of the project at DIR (the working directory unless
given) in the browser. The project must be served.

DIR may be HOST:/PATH, a project of another machine (see berth hosts): its page
is shown on a free port of 127.0.0.1 until Ctrl-C, to you alone.

The browser gets the path of a file that only you can read. It holds an address
with a code, which signs one browser in once, and is gone when it has been used
or after 60 seconds. --print prints the address instead, for a browser that
cannot read the file or another one on this machine; at a terminal only, since
who has the code approves as you do.

--host prints an address of another name or port that leads to the instance, as
a forwarded port has it: HTTPS, or localhost. The page is shown there until the
instance ends; page.hosts of your own config.yaml names such hosts for good.`,
		Example: `  berth open
  berth open --print ~/src/app
  berth open --host localhost:8080
  berth open build1:/home/ann/app`,
		Args:              upTo(1),
		ValidArgsFunction: a.runningProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := a.project(args)
			if err != nil {
				return err
			}
			return a.open(cmd.Context(), root, host, print || host != "")
		},
	}
	cmd.Flags().BoolVar(&print, "print", false, "print the address and open nothing")
	cmd.Flags().StringVar(&host, "host", "", "print an address at `HOST` or HOST:PORT, which leads to the instance")
	return cmd
}

func (a *app) open(ctx context.Context, root, host string, print bool) error {
	if print && !(terminal{in: a.sys.Stdin, out: a.sys.Stdout}).present() {
		return &failure{code: exitRefused, text: "a code signs a person in: it is printed at a terminal only, and stdin or stdout is none",
			hint: "open the browser with: berth open " + proxy.ShellWord(root)}
	}
	if _, _, far := proxy.SplitHost(root); far {
		if host != "" {
			return &failure{code: exitRefused, text: "the page of another machine is shown on a port of this one alone",
				hint: "run berth open --host there"}
		}
		return a.openFar(ctx, root, print)
	}
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	if print {
		url, err := address(ctx, l.client, root, host)
		if err != nil {
			return l.explain(root, err)
		}
		_, err = fmt.Fprintln(a.sys.Stdout, url)
		return err
	}
	path, err := l.client.NewSignInFile(ctx, root)
	if err != nil {
		return l.explain(root, err)
	}
	if err := openBrowser(ctx, path); err != nil {
		return &failure{text: "open the browser", cause: err, hint: "print the address with: berth open --print " + proxy.ShellWord(root)}
	}
	return nil
}

// address is one that signs a browser in: at a host, or "" for 127.0.0.1.
func address(ctx context.Context, c *proxy.Client, root, host string) (url string, err error) {
	if host != "" {
		return c.NewCodeAt(ctx, root, host)
	}
	_, url, err = c.NewCode(ctx, root)
	return url, err
}

// openBrowser hands a file that leads to a page to the desktop. It takes a
// path and no address: arguments are read by every user of the machine. The
// opener returns at once where there is a desktop; one that does not is given
// up.
func openBrowser(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	command := browserCommand(path)
	if err := exec.CommandContext(ctx, command[0], command[1:]...).Run(); err != nil {
		return fmt.Errorf("%s: %w", command[0], err)
	}
	return nil
}
