package cli

// browserCommand opens a URL on macOS.
func browserCommand(url string) []string { return []string{"open", url} }
