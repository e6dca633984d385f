// Package rules holds what is true of berth's sources as a whole: who may
// import whom, and what every package and file owes its reader. Each rule is
// a plain Go test that says in its failure why the rule is there.
package rules
