// Package origin is what a server does that shows the designer page on a port
// of 127.0.0.1, an instance or a command that shows the page of another
// machine: it answers its own page only, keeps others from framing it, ends
// what a program left in the browser that had the port before, and hands the
// person's browser the way in by a file that nobody else can read.
//
// Start with [Check] and [SignInFiles].
package origin
