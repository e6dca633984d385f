package logfile

import (
	"io"
	"log/slog"

	"github.com/berth-dev/berth/tools/visible"
)

// NewLogger returns a logger that writes JSON lines to the log file, and to stderr what a person
// should see now: warnings, or with --verbose everything.
func NewLogger(stderr, file io.Writer, verbose bool) *slog.Logger {
	fileLevel, screenLevel := slog.LevelInfo, slog.LevelWarn
	if verbose {
		fileLevel, screenLevel = slog.LevelDebug, slog.LevelDebug
	}
	return slog.New(slog.NewMultiHandler(
		slog.NewJSONHandler(&visible.Writer{To: file, JSON: true}, &slog.HandlerOptions{Level: fileLevel}),
		slog.NewJSONHandler(&visible.Writer{To: stderr, JSON: true}, &slog.HandlerOptions{Level: screenLevel}),
	))
}
