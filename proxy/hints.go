package proxy

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// The documents fix the first item of the front-end's own errors. What the
// caller can do next is in a second item.

// badRoot returns the result for a projectRoot that is not a directory, with
// the projects that run.
func (c *Client) badRoot(ctx context.Context, given string, err error, o CallOptions) wire.Line {
	var text string
	switch {
	case errors.Is(err, portmap.ErrNotAbsolute):
		text = wire.TextNotAbsolute
	case errors.Is(err, fs.ErrNotExist):
		text = wire.TextNotExist
	default:
		text = "Error: projectRoot cannot be used: " + err.Error()
	}
	if above := c.runningAbove(ctx, realPath(given)); above != "" {
		return errorResult(text, o.liesIn(above))
	}
	return withHelp(text, c.runningProjects(ctx, given, o))
}

// badArguments returns the result for a call without a usable projectRoot, with
// the projects that run.
func (c *Client) badArguments(ctx context.Context, text string, o CallOptions) wire.Line {
	return withHelp(text, c.runningProjects(ctx, "", o))
}

// notRunning returns the documents' text for a root that exists, followed by
// what is most likely meant: the running project that it lies in; the start of
// a project that is stopped, and then nothing else, since a query for it must
// not end in another project's database; else the projects that run.
func (c *Client) notRunning(ctx context.Context, given, root string, err error, o CallOptions) wire.Line {
	text := wire.TextNotRunning + o.project(given)
	project := isFolder(root) && c.opts.IsProject(root)
	above := c.runningAbove(ctx, root)
	var failed *autostartError
	switch {
	case above != "" && project:
		return errorResult(text, o.liesIn(above)+"\nTo have that folder served by itself: "+o.serve(root))
	case above != "":
		return errorResult(text, o.liesIn(above))
	case errors.As(err, &failed) && project:
		return errorResult(text, o.autostartHelp(root, err, failed))
	case errors.As(err, &failed):
		return errorResult(text, o.autostartHelp(root, err, failed)+"\n"+c.runningProjects(ctx, root, o))
	case project:
		return errorResult(text, "Start it with: "+o.serve(root))
	}
	help := c.runningProjects(ctx, root, o)
	if isFolder(root) {
		help += "\nIf that folder is the project that is meant, start it with: " + o.serve(root)
	}
	return errorResult(text, help)
}

func (o CallOptions) autostartHelp(root string, err error, failed *autostartError) string {
	help := "It could not be started: " + failed.Error() + ". "
	var known interface{ Hint() string }
	if errors.As(err, &known) && known.Hint() != "" {
		return help + known.Hint()
	}
	return help + "See why with: " + o.serve(root)
}

func withHelp(text, help string) wire.Line {
	if help == "" {
		return errorResult(text)
	}
	return errorResult(text, help)
}

func (o CallOptions) liesIn(root string) string {
	return "That path lies in the running project " + o.shown(root) + ": pass that as projectRoot."
}

// project returns a path of this machine as the caller names it.
func (o CallOptions) project(path string) string {
	if o.Host == "" {
		return path
	}
	return o.Host + ":" + path
}

// shown is project for a text.
func (o CallOptions) shown(path string) string { return shownPath(o.project(path)) }

// serve returns the command that serves a folder of this machine.
func (o CallOptions) serve(root string) string {
	command := "berth serve " + ShellWord(root)
	if o.Host != "" {
		command += " (on the host " + o.Host + ")"
	}
	return command
}

// runningProjects lists the projects that run for a caller that named path,
// the one that the client itself works in first.
func (c *Client) runningProjects(ctx context.Context, path string, o CallOptions) string {
	own := c.ownProject(ctx, o)
	live, more, err := c.running(ctx, path, own)
	if err != nil {
		return ""
	}
	if len(live) == 0 && own == "" {
		return "No project runs. A person starts one with: berth serve FOLDER"
	}
	var help strings.Builder
	if own != "" {
		help.WriteString("The client works in a project that runs: pass projectRoot " + o.shown(own))
	}
	if len(live) == 0 {
		return help.String()
	}
	switch {
	case own != "":
		help.WriteString("\nOther running projects: ")
	case more == 0 && len(live) == 1:
		help.WriteString("One project runs; to use it, pass it as projectRoot: ")
	default:
		help.WriteString("Running projects; pass the one that is meant as projectRoot: ")
	}
	for i, root := range live {
		if i > 0 {
			help.WriteString(", ")
		}
		help.WriteString(o.shown(root))
	}
	if more > 0 {
		help.WriteString(" and " + strconv.Itoa(more) + " more: list-projects names all")
	}
	return help.String()
}

// shownPath returns a path as it is passed; one that would not show as what it
// is, in quotes.
func shownPath(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
