package cli

// browserCommand opens a URL on macOS.
func browserCommand(url string) []string { return []string{"open", url} }

// hasDesktop reports whether this session is not a remote one.
func hasDesktop(getenv func(string) string) bool { return getenv("SSH_CONNECTION") == "" }
