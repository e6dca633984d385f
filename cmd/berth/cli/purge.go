package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// ourNames are what berth puts into its own folder, as patterns. All else there
// was put there by somebody else: BERTH_HOME may name any folder.
var ourNames = []string{
	"ports.json*", "reservations.json*", "instances", "person.key*", "config.yaml", "trust", "trusted", "passwords",
	"logs", "state", "copies", "clients.json*", "signin",
}

// purge removes berth's own folder, once the person at the terminal has typed
// the word.
func (a *app) purge(ctx context.Context) error {
	r, err := a.uninstallReport(ctx)
	if err != nil {
		return err
	}
	home, err := a.home()
	if err != nil {
		return err
	}
	if !isThere(r.Folder) {
		_, err := fmt.Fprintf(a.sys.Stdout, "nothing to remove: %s is not there\n", oneLine(r.Folder))
		return err
	}
	if err := unused(r); err != nil {
		return err
	}
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	if !person.present() {
		return &failure{code: exitRefused, text: "a person has to type the word at a terminal: nothing was removed",
			hint: "run berth uninstall --purge where you can type, or remove " + r.Folder + " by hand"}
	}
	fmt.Fprintf(a.sys.Stderr, "This removes %s for good: the designs of %s with their history, settings, typed passwords, what you trust, the log.\n",
		oneLine(r.Folder), countOf(r.Designs, "project"))
	if person.ask("Type purge to remove it: ") != "purge" {
		return &failure{code: exitRefused, text: "nothing was removed"}
	}
	if err := unused(r); err != nil { // it may have been started while the question stood
		return err
	}
	left, err := removeOwn(home)
	if err != nil {
		return err
	}
	p := &printer{w: a.sys.Stdout}
	if len(left) == 0 {
		p.add("removed %s", oneLine(r.Folder))
	}
	for _, path := range left {
		p.add("not berth's, and left: %s", oneLine(path))
	}
	return p.err
}

// unused refuses while a process works with what is to be removed.
func unused(r uninstallReport) error {
	for _, root := range r.Running {
		return &failure{code: exitBusy, text: oneLine(root) + " is served: nothing was removed", hint: "end it with: berth stop " + proxy.ShellWord(root)}
	}
	states, err := filepath.Glob(filepath.Join(r.Folder, "state", "*"))
	if err != nil {
		return err
	}
	for _, dir := range states {
		pid, held, err := session.Holder(dir)
		if err != nil {
			return err
		}
		if held {
			return &failure{code: exitBusy, text: fmt.Sprintf("process %d works with %s: nothing was removed", pid, oneLine(dir)), hint: "end it and try again"}
		}
	}
	return nil
}

// removeOwn removes what is berth's, and the folder if that was all of it. left
// is what was not.
func removeOwn(home portmap.Home) (left []string, err error) {
	if dir := filepath.Dir(home.MapFile()); dir != home.Dir() { // BERTH_PORTMAP
		for _, path := range []string{home.MapFile(), home.MapFile() + ".lock", filepath.Join(dir, "reservations.json")} {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	entries, err := os.ReadDir(home.Dir())
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(home.Dir(), entry.Name())
		if !isOurs(entry.Name()) {
			left = append(left, path)
		} else if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	if len(left) > 0 {
		return left, nil
	}
	return nil, os.Remove(home.Dir())
}

func isOurs(name string) bool {
	for _, pattern := range ourNames {
		if ok, err := filepath.Match(pattern, name); err == nil && ok {
			return true
		}
	}
	return false
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
