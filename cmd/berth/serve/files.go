package serve

import (
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/files"
)

// fileOptions are those of the file tools on the project's folder.
func (r run) fileOptions(b *base) files.Options {
	return files.Options{
		Root:     r.Root,
		Journal:  filepath.Join(r.Home.StateDir(r.Root), "edits"),
		Ledger:   b.ledger,
		URL:      wire.URL(b.port),
		Settings: fileSettings(r.Settings),
		Announce: b.notices.Announce,
		Logger:   r.Logger,
	}
}

func fileSettings(s *settings.Settings) files.Settings {
	return files.Settings{Fast: s.Files.Mode == settings.FilesFast, Secrets: s.Files.Secrets}
}
