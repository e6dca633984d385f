package proxy

// Find looks a root up as a call does.
func Find(c *Client, root string) error {
	_, err := c.find(root)
	return err
}
