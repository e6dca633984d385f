// Package attach keeps a project served for a program that has it open, such as
// a window of an editor: it joins the project's instance or starts one, holds a
// lease on it, and says on a stream of lines what happens there. It answers
// requests of that program, and decides nothing itself.
//
//	window ── requests ─▶ Run ══ lease (GET /events) ══▶ instance
//	window ◀── lines ──── Run ── approvals, keys ──────▶ instance
//
// Start with [Run]. Invariants: an instance that was there is joined and never
// replaced; one that crashed is started again; one that a person stopped stays
// stopped until somebody serves the project or the program asks for it; what was
// signed in here is signed out at the end.
package attach
