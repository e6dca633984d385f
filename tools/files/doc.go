// Package files handles the four file tools of one project: listing, reading,
// searching and editing. It decides what may be read and written, asks a person
// before it writes, and keeps replies within their limits. Where the files are
// is behind store.Store: for the project's folder tools/files/disk replaces
// files and tools/files/tree lists them and evaluates .gitignore. Package
// tools/files/text finds edits.
//
//	call ─▶ arguments ─▶ path, rules ─▶ Store.Read ─▶ text.Apply ─▶ Diff
//	                                                                 │
//	        receipt ◀─ Store.Replace ◀─ approval.Ledger.Decide ◀─────┘
//
// Start with [New] and [Tool.Handlers]. Invariants: nothing is written without
// the version of what it replaces, and in safe mode not without a person's
// approval of the diff; a reply says which limits it hit; a failure never
// repeats the caller's text.
package files
