package proxy

import "time"

// Find looks a root up as a call does.
func Find(c *Client, root string) error {
	_, err := c.find(root)
	return err
}

// WaitLong has c wait for what answers as long as a busy machine may take.
func WaitLong(c *Client) {
	c.waits = waits{roots: time.Minute, hint: time.Minute, look: time.Minute, list: time.Minute, eof: time.Minute}
}

// AskRootsBriefly has c wait hardly for a client that does not say where it works.
func AskRootsBriefly(c *Client) { c.waits.roots = 20 * time.Millisecond }

// EndBriefly has c's servers wait hardly for calls after the end of their input.
func EndBriefly(c *Client) { c.waits.eof = 20 * time.Millisecond }
