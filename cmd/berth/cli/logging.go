package cli

import (
	"github.com/spf13/cobra"
)

// verboseFlag adds --verbose to a command that logs.
func verboseFlag(cmd *cobra.Command, verbose *bool) {
	cmd.Flags().BoolVarP(verbose, "verbose", "v", false, "write the log to stderr, details included")
}
