package pool

import "context"

// Open returns the connection that a call means, see [Connections.Pick], and
// its database, see [Connections.Database].
func (c *Connections) Open(ctx context.Context, connection string) (Config, *Database, error) {
	cfg, err := c.Pick(ctx, connection)
	if err != nil {
		return cfg, nil, err
	}
	d, err := c.Database(cfg)
	return cfg, d, err
}
