// Package mermaid draws a design as a Mermaid entity-relationship diagram,
// which GitHub, GitLab and many editors show in Markdown
// (https://mermaid.js.org/syntax/entityRelationshipDiagram.html, grammar read
// July 2026). It is for looking at: a diagram has no defaults, indexes or
// checks, and nothing reads one back.
//
// Start with [Render]. Invariants: the same design always gives the same text,
// and the text is valid whatever the names of tables and columns.
package mermaid
