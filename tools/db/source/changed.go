package source

import "context"

// Mark returns a text that is another one once the schema has changed, at a
// small part of what [Source.Read] costs. See [engine.Engine].
func (s *Source) Mark(ctx context.Context) (mark string, err error) {
	c := s.all.connections
	d, err := c.Database(s.config)
	if err != nil {
		return "", err
	}
	found := make(chan string, 1) // work that is given up may end later
	err = c.ReadCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		mark, err := d.Mark(ctx)
		found <- mark
		return err
	})
	if err != nil {
		return "", s.config.Explain(err)
	}
	return <-found, nil
}
