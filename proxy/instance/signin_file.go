package instance

import "github.com/berth-dev/berth/proxy/origin"

// NewSignInFile writes a file that signs one browser in once, within 60 seconds,
// and returns its path. It is removed when its code is used or expires.
func (s *Server) NewSignInFile() (string, error) {
	path, err := s.signInFiles().NewPath()
	if err != nil {
		return "", err
	}
	return path, s.signInFiles().Write(path, s.codes.issue(path))
}

func (s *Server) signInFiles() origin.SignInFiles {
	return origin.SignInFiles{Dir: s.cfg.SignInDir, Port: s.self.Port}
}
