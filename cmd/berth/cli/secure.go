package cli

import (
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/portmap/homefile"
)

// secureHome sees to it that berth's own folder, with the tokens, keys and
// settings in it, is the user's alone. It returns in words what it had to
// change; what it must not change is an error.
func secureHome(home portmap.Home) (notes []string, err error) {
	secure := func(how func(string) (string, error), path string) {
		if err != nil {
			return
		}
		var note string
		if note, err = how(path); note != "" {
			notes = append(notes, note)
		}
	}
	secure(homefile.Secure, home.Dir())
	secure(homefile.Secure, home.InstancesDir())
	secure(homefile.SecureFile, home.ConfigFile())
	if err != nil {
		return nil, &failure{code: exitRefused, cause: err}
	}
	return notes, nil
}
