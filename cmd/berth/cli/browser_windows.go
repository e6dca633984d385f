package cli

// browserCommand opens a URL on Windows without a shell, which would read the
// & of a URL as its own.
func browserCommand(url string) []string {
	return []string{"rundll32", "url.dll,FileProtocolHandler", url}
}

// hasDesktop reports whether this session is not a remote one.
func hasDesktop(getenv func(string) string) bool { return getenv("SSH_CONNECTION") == "" }
