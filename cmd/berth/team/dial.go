package team

import (
	"context"
	"log/slog"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/journal/stream"
)

// Dial connects to the broker of settings for a user; see [stream.Dial]. A nil
// logger logs nothing, and changed may be nil.
func Dial(ctx context.Context, s *settings.Team, user string, changed func(), logger *slog.Logger) (*stream.Team, error) {
	return stream.Dial(ctx, stream.Options{
		URL: s.URL, Credentials: s.Credentials, CA: s.CA, Certificate: s.Certificate, Key: s.Key,
		User: user, Changed: changed, Logger: logger,
	})
}
