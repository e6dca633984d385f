package cli

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/berth-dev/berth/portmap"
)

// signInDir is where the files lie that open a page in the browser: in
// berth's own folder, but that browsers in a sandbox of snap read nothing
// hidden. Where the user has used snaps it is a folder of their home that can
// be seen, which is there for as long as a file is. Flatpak's browsers are
// handed the file by the desktop.
func signInDir(home portmap.Home, getenv func(string) string) string {
	user := getenv("HOME")
	if runtime.GOOS == "linux" && filepath.IsAbs(user) {
		if _, err := os.Stat(filepath.Join(user, "snap")); err == nil {
			return filepath.Join(user, "berth-signin")
		}
	}
	return filepath.Join(home.Dir(), "signin")
}
