package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// app is what all commands share.
type app struct{ sys System }

// home finds the user's directory. It reads nothing from disk.
func (a *app) home() (portmap.Home, error) {
	return portmap.FindHome(a.sys.getenv)
}

// root is the canonical path of the project that the arguments name: the
// first of them, else the working directory.
func (a *app) root(args []string) (string, error) {
	dir, err := a.dir(args)
	if err != nil {
		return "", err
	}
	root, err := portmap.Canonical(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &failure{code: exitUsage, text: "project " + dir + " does not exist"}
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return "", &failure{code: exitUsage, text: "project " + dir + " is not a directory"}
	}
	return root, nil
}

// project is root for commands that reach projects of other machines too, as
// HOST:/PATH.
func (a *app) project(args []string) (string, error) {
	if len(args) > 0 {
		if _, _, far := proxy.SplitHost(args[0]); far {
			if _, err := os.Stat(args[0]); err != nil { // a folder of that name is meant
				return args[0], nil
			}
		}
	}
	return a.root(args)
}

// dir is the absolute path that the arguments name, whatever is there.
func (a *app) dir(args []string) (string, error) {
	dir, err := a.sys.Getwd()
	if len(args) > 0 {
		switch {
		case args[0] == "":
			return "", &failure{code: exitUsage, text: "DIR is empty", hint: "name a directory, or leave it out for the working directory"}
		case filepath.IsAbs(args[0]):
			dir, err = args[0], nil
		case err == nil:
			dir = filepath.Join(dir, args[0])
		}
	}
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}

// settings reads the settings of a project.
func (a *app) settings(home portmap.Home, root string) (*settings.Settings, error) {
	return settings.Load(root, trust.Sources(home, root, a.sys.LookupEnv))
}
