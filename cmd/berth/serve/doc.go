// Package serve runs the instance of one project: it takes the project's state
// and port, joins the parts, serves until something ends it, and gives both
// back. It parses no command line and prints nothing; package cli does.
//
//	          settings, the project's files
//	                      │
//	[Run] ──▶ take over ──▶ parts ──▶ instance.Server ──▶ hand over ──▶ stand by
//	  ▲        state, port                                                 │
//	  └───────────────── serve again: the successor never served ◀─────────┘
//
// Start from [Run]. What lives as long as the instance is here: the reloader
// of connections and rights, the entry in the port map, events and notices for
// open pages, the opener of the page, the watch of the user's other projects.
//
// Invariants: the state is taken first and given up last, so of two processes
// only one serves a project; a part is made when everything it uses exists;
// every goroutine is waited for before [Run] returns.
package serve
