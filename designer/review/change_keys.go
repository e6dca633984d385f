package review

import "github.com/berth-dev/berth/designer"

// KeysOf lists what a change decides, in as few keys as that takes: a table that
// comes or goes is one.
func KeysOf(c designer.Change) []Key {
	var keys []Key
	for _, tc := range c.Tables {
		if tc.Before == nil || tc.After == nil {
			keys = append(keys, Key{Table: tc.ID()})
		} else {
			keys = append(keys, keysOf(tc)...)
		}
	}
	for _, tc := range c.Types {
		keys = append(keys, Key{Part: tc.ID()})
	}
	return keys
}
