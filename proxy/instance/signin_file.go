package instance

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
)

// A sign-in file sends a browser to the page, signed in. Its path is
// passed to the desktop's opener and so is visible to everybody in the process
// list; its content is readable only by the user. It is removed when its code
// is used or expires.

// NewSignInFile writes a file that signs one browser in once, within 60 seconds,
// and returns its path.
func (s *Server) NewSignInFile() (string, error) {
	dir := s.cfg.SignInDir
	if dir == "" {
		return "", errors.New("no folder for the file that opens the page")
	}
	if err := privateDir(dir); err != nil {
		return "", fmt.Errorf("open the page by a file: %w", err)
	}
	path := filepath.Join(dir, s.signInFilePrefix()+rand.Text()+".html")
	code := s.codes.issue(path)
	// O_EXCL: a symbolic link planted there is not followed.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("open the page by a file: %w", err)
	}
	_, err = fmt.Fprintf(f, signInHTML, s.SignInURL(code))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("open the page by a file: %w", err)
	}
	return path, nil
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

func (s *Server) signInFilePrefix() string { return strconv.Itoa(s.self.Port) + "-" }

// sweepSignInFiles removes the files of earlier runs on this port, which are left
// only by a process that was killed.
func (s *Server) sweepSignInFiles() {
	files, err := os.ReadDir(s.cfg.SignInDir)
	if err != nil {
		return // usually there are none
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), s.signInFilePrefix()) && strings.HasSuffix(f.Name(), ".html") {
			removeSignInFile(filepath.Join(s.cfg.SignInDir, f.Name()))
		}
	}
}

// removeSignInFile removes a file and, with the last one, the folder, which may be
// in a place visible to the user.
func removeSignInFile(path string) {
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
