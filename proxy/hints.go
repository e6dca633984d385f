package proxy

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// Limits on the work done for a hint.
const (
	hintTimeout = 200 * time.Millisecond
	maxHints    = 10 // projects that are checked and named
)

// badRoot returns the result for a projectRoot that is not a directory. The
// documents fix its whole text, so there is no hint.
func badRoot(err error) wire.Line {
	switch {
	case errors.Is(err, portmap.ErrNotAbsolute):
		return refusal(wire.TextNotAbsolute)
	case errors.Is(err, fs.ErrNotExist):
		return refusal(wire.TextNotExist)
	default:
		return refusal("Error: projectRoot cannot be used: %v", err)
	}
}

// badArguments returns the result for a call without a usable projectRoot. It
// names the project that the client most likely means.
func (c *Client) badArguments(ctx context.Context, text string, o CallOptions) wire.Line {
	if hint := c.ownProject(ctx, o); hint != "" {
		return errorResult(text, hint)
	}
	return errorResult(text)
}

// notRunning returns the documents' text, followed by the command that starts
// the instance and the running project that may have been meant.
func (c *Client) notRunning(ctx context.Context, given, root string, err error, o CallOptions) wire.Line {
	help := "Start it with: berth serve " + ShellWord(root)
	var start *autostartError
	if errors.As(err, &start) {
		help = "It could not be started: " + start.Error() + ". "
		var known interface{ Hint() string }
		if errors.As(err, &known) && known.Hint() != "" {
			help += known.Hint()
		} else {
			help += "See why with: berth serve " + ShellWord(root)
		}
	}
	if hint := c.runningHint(ctx, root, o); hint != "" {
		help += "\n" + hint
	}
	return errorResult(wire.TextNotRunning+given, help)
}

// runningHint names running projects that may have been meant instead of root:
// the one that the client's own directories point to, else those above and
// below root. It returns "" if there is none or finding out takes too long.
func (c *Client) runningHint(ctx context.Context, root string, o CallOptions) string {
	ctx, cancel := context.WithTimeout(ctx, hintTimeout)
	defer cancel()
	if hint := c.ownProject(ctx, o); hint != "" {
		return hint
	}
	near := c.running(ctx, []string{root})
	if len(near) == 0 {
		return ""
	}
	return "Running projects above or below that path: " + strings.Join(near, ", ") + ". To use one, pass it as projectRoot."
}

// ownProject names the running project that the client's own directories point
// to, if there is exactly one.
func (c *Client) ownProject(ctx context.Context, o CallOptions) string {
	if o.Roots == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, hintTimeout)
	defer cancel()
	own := c.running(ctx, canonicalAll(o.Roots(ctx)))
	if len(own) != 1 {
		return ""
	}
	return "The client works in a project that runs: pass projectRoot " + own[0]
}

// related returns the roots in entries that are, contain or lie in one of
// paths, sorted.
func related(entries map[string]int, paths []string) []string {
	var found []string
	for root := range entries {
		if slices.ContainsFunc(paths, func(path string) bool { return contains(root, path) || contains(path, root) }) {
			found = append(found, root)
		}
	}
	slices.Sort(found)
	return found
}

func contains(dir, path string) bool {
	if ignoresCase {
		dir, path = strings.ToLower(dir), strings.ToLower(path)
	}
	return dir == path || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// running returns the projects that are, contain or lie in one of paths and
// whose instance proves its identity. It checks only the first maxHints.
func (c *Client) running(ctx context.Context, paths []string) []string {
	entries, err := c.opts.Store.Entries()
	if err != nil {
		return nil
	}
	roots := related(entries, paths)
	roots = roots[:min(len(roots), maxHints)]
	live := make([]bool, len(roots))
	var probes sync.WaitGroup
	for i, root := range roots {
		probes.Go(func() {
			state, _ := c.Probe(ctx, root, entries[root])
			live[i] = state == Live
		})
	}
	probes.Wait()
	var found []string
	for i, root := range roots {
		if live[i] {
			found = append(found, root)
		}
	}
	return found
}

func canonicalAll(paths []string) []string {
	var found []string
	for _, path := range paths {
		if root, err := portmap.Canonical(path); err == nil {
			found = append(found, root)
		}
	}
	return found
}
