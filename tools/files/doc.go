// Package files handles the four file tools of one project: listing, reading,
// searching and editing. It decides what may be read and written, asks a
// person before it writes, and keeps replies within their limits. How a file
// is replaced is tools/files/disk's, how edits are found tools/files/text's,
// what there is and what .gitignore hides tools/files/tree's.
//
//	call ─▶ arguments ─▶ path, rules ─▶ disk.Read ─▶ text.Apply ─▶ Diff
//	                                                                │
//	        receipt ◀─ disk.Replace ◀─ approval.Ledger.Decide ◀─────┘
//
// Start from [New] and [Tool.Handlers]. Invariants: nothing is written
// without the version of what it replaces, and in safe mode not without a
// person's yes to the diff; a reply says which of its limits it hit; a
// failure never repeats the caller's text.
package files
