package cli

// browserCommand opens an HTML file on macOS.
func browserCommand(path string) []string { return []string{"open", path} }

// hasDesktop reports whether this session is not a remote one.
func hasDesktop(getenv func(string) string) bool { return getenv("SSH_CONNECTION") == "" }
