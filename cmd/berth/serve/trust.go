package serve

import (
	"context"
	"slices"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/tools/pageapi"
)

// pageTrust lets a person at the page, or an editor for them, answer what the
// project's own files ask. What they answer is in force when they have the
// reply: an agent's next call is held to it.
type pageTrust struct {
	home   portmap.Home
	root   string
	load   func() (*settings.Settings, error)
	reload func(context.Context) []string
}

// Asks implements instance.Trust.
func (p pageTrust) Asks(ctx context.Context) (any, error) {
	asks, err := p.asks(ctx)
	if err != nil {
		return nil, err
	}
	return trust.NewReport(p.root, asks), nil
}

func (p pageTrust) asks(ctx context.Context) ([]settings.Ask, error) {
	s, err := p.load()
	if err != nil {
		return nil, err
	}
	return connections.NewFinder(p.root).Find(ctx, s).Asks, nil
}

// Trust implements instance.Trust. An ask that has changed since it was
// shown is refused.
func (p pageTrust) Trust(ctx context.Context, digests []string) (any, error) {
	asks, err := p.asks(ctx)
	if err != nil {
		return nil, err
	}
	var trusted []settings.Ask
	for _, digest := range digests {
		i := slices.IndexFunc(asks, func(a settings.Ask) bool { return a.Digest == digest })
		if i < 0 {
			return nil, &pageapi.Error{Code: "invalid_request", Message: "the project's files do not ask this any more: read GET /trust again"}
		}
		trusted = append(trusted, asks[i])
	}
	if err := trust.Add(p.home, p.root, asks, trusted); err != nil {
		return nil, err
	}
	p.reload(context.WithoutCancel(ctx))
	return p.Asks(ctx)
}

// Revoke implements instance.Trust.
func (p pageTrust) Revoke(ctx context.Context) (any, error) {
	if _, err := trust.Revoke(p.home, p.root); err != nil {
		return nil, err
	}
	p.reload(context.WithoutCancel(ctx))
	return p.Asks(ctx)
}
