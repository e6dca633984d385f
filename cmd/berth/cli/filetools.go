package cli

import (
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/files"
)

// fileOptions are those of the file tools on the project's folder.
func (w *wired) fileOptions(i instanceOf, port int) files.Options {
	return files.Options{
		Root:     i.root,
		Journal:  filepath.Join(i.home.StateDir(i.root), "edits"),
		Ledger:   w.ledger,
		URL:      instanceURL(port),
		Settings: fileSettings(i.settings),
		Announce: w.notices.Announce,
		Logger:   i.log,
	}
}

func fileSettings(s *settings.Settings) files.Settings {
	return files.Settings{Fast: s.Files.Mode == settings.FilesFast, Secrets: s.Files.Secrets}
}
