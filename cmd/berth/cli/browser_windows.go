package cli

// browserCommand opens an HTML file on Windows without a shell, which would
// read the & of a path as its own.
func browserCommand(path string) []string {
	return []string{"rundll32", "url.dll,FileProtocolHandler", path}
}

// hasDesktop reports whether this session is not a remote one.
func hasDesktop(getenv func(string) string) bool { return getenv("SSH_CONNECTION") == "" }
