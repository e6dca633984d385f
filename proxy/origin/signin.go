package origin

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// OpeningQuery marks the address at which a browser is signed in.
const OpeningQuery = "open"

// SignInURL is the URL that signs a browser in with code at a port. The code is
// in the fragment, which browsers do not send to servers. The query is
// different each time, so that the answer does not come from the browser's
// cache, where a server that had the port before may have left one.
func SignInURL(port int, code string) string {
	return signInURL(wire.URL(port), code)
}

// SignInFiles are the files that send a browser to the page on a port, signed
// in. The path of such a file is passed to the desktop's opener and so is
// visible to everybody in the process list; its content is readable only by
// the user. Dir is created and removed as needed.
type SignInFiles struct {
	Dir  string
	Port int
}

// NewPath returns the path of a file that is not there yet, in a folder that
// only the user may access.
func (f SignInFiles) NewPath() (string, error) {
	if f.Dir == "" {
		return "", errors.New("no folder for the file that opens the page")
	}
	if err := privateDir(f.Dir); err != nil {
		return "", fmt.Errorf("open the page by a file: %w", err)
	}
	return filepath.Join(f.Dir, f.prefix()+rand.Text()+".html"), nil
}

// Write writes the file at a path of [SignInFiles.NewPath], which leads to the
// page and signs a browser in with code.
func (f SignInFiles) Write(path, code string) error {
	// O_EXCL: a symbolic link planted there is not followed.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("open the page by a file: %w", err)
	}
	_, err = fmt.Fprintf(file, signInHTML, SignInURL(f.Port, code))
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("open the page by a file: %w", err)
	}
	return nil
}

// signInHTML uses no script, because some browsers run none from a file. The
// address consists of characters that need no escaping.
const signInHTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0; url=%[1]s">
<title>berth</title>
<p>Opening the designer … <a href="%[1]s">Continue</a></p>
</html>
`

func (f SignInFiles) prefix() string { return strconv.Itoa(f.Port) + "-" }

// Sweep removes the files of earlier runs on this port, which are left only by
// a process that was killed.
func (f SignInFiles) Sweep() {
	files, err := os.ReadDir(f.Dir)
	if err != nil {
		return // usually there are none
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), f.prefix()) && strings.HasSuffix(file.Name(), ".html") {
			RemoveSignInFile(filepath.Join(f.Dir, file.Name()))
		}
	}
}

// RemoveSignInFile removes a file and, with the last one, the folder, which may
// be in a place visible to the user. It does nothing for "".
func RemoveSignInFile(path string) {
	if path == "" {
		return
	}
	_ = os.Remove(path)
	_ = os.Remove(filepath.Dir(path)) // fails while another file is there
}

// privateDir creates a folder that only the user may access, or checks an
// existing one.
func privateDir(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder: move it away", dir)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users (mode %04o): chmod 700 it", dir, info.Mode().Perm())
	}
	return nil
}
