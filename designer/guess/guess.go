// Package guess says in which language a text is that defines tables: SQL of
// which database, DBML, a Prisma schema, or a design in JSON. It reads nothing
// of the text but marks that one of them has; what it says is shown to the
// caller, who may say otherwise.
//
// Start with [Of].
package guess

import (
	"regexp"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// The languages, by the names of formats.
const (
	SQL    = "sql"
	DBML   = "dbml"
	Prisma = "prisma"
	JSON   = "json"
)

// Guess is what a text seems to be.
type Guess struct {
	Format  string // "": nothing that is known
	Dialect string // of SQL: sqlite, postgres, mysql or mssql; "": it has no marks, or marks of several
	Because string // the mark that says so of the dialect, as it stands in the text
	Line    int    // of the mark, from 1; 0: there is none
}

// maxLooked bounds the bytes of a text that are looked at: a dump shows what
// it is at its beginning.
const maxLooked = 64 << 10

// Of guesses what a text is.
func Of(text string) Guess {
	text = strings.TrimPrefix(text, "\ufeff")
	text = clip.Prefix(text, maxLooked)
	g := Guess{Format: formatOf(text)}
	if g.Format != SQL {
		return g
	}
	best, second := 0, 0
	for _, d := range dialects {
		score, because, at := d.score(text)
		switch {
		case score > best:
			best, second = score, best
			g.Dialect, g.Because, g.Line = d.name, because, 1+strings.Count(text[:at], "\n")
		case score > second:
			second = score
		}
	}
	if best < enough || best < 2*second {
		return Guess{Format: SQL}
	}
	return g
}

var (
	prismaMark = lazyregexp.New(`(?m)^[ \t]*(model|datasource|generator|view|type)[ \t]+\w+[ \t]*\{`)
	dbmlMark   = lazyregexp.New(`(?mi)^[ \t]*(table|project|tablepartial|tablegroup)[ \t]+[\w".]+[^;(]*\{|^[ \t]*ref[ \t]*\w*[ \t]*[:{]`)
	enumMark   = lazyregexp.New(`(?m)^[ \t]*(?i:enum)[ \t]+[\w".]+[ \t]*\{`)
	sqlMark    = lazyregexp.New(`(?mi)^\s*(--|/\*|\\(connect|restrict)|create|alter|insert|drop|set|use|begin|pragma|comment[ \t]+on|if|exec|go)\b|^\s*(--|/\*)`)
)

func formatOf(text string) string {
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return JSON
	case prismaMark().MatchString(text):
		return Prisma
	case dbmlMark().MatchString(text), enumMark().MatchString(text):
		return DBML
	case sqlMark().MatchString(text):
		return SQL
	}
	return ""
}

// enough is the weight from which marks decide.
const enough = 10

// The weights of marks.
const (
	header = 100 // what a program writes at the top
	own    = 20  // what no other database has
	usual  = 4   // what is elsewhere too, but seldom
)

// mark is a text by which a dialect is known.
type mark struct {
	weight int
	is     func() *regexp.Regexp
}

type dialect struct {
	name  string
	marks []mark
}

// score adds up the marks that a text has, and returns the heaviest of them.
func (d dialect) score(text string) (score int, because string, at int) {
	most := 0
	for _, m := range d.marks {
		found := m.is().FindStringIndex(text)
		if found == nil {
			continue
		}
		score += m.weight
		if m.weight > most {
			most, because, at = m.weight, clip.Text(strings.TrimSpace(text[found[0]:found[1]]), 60), found[0]
		}
	}
	return score, because, at
}

func marks(weight int, patterns ...string) (list []mark) {
	for _, p := range patterns {
		list = append(list, mark{weight, lazyregexp.New(`(?mi)` + p)})
	}
	return list
}

func join(lists ...[]mark) (all []mark) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// dialects are never modified.
var dialects = []dialect{
	{"postgres", join(
		marks(header, `^-- PostgreSQL database (cluster )?dump`, `^\\restrict `, `^SET (statement_timeout|standard_conforming_strings)\b`),
		marks(own, `^\\(connect|c) `, `^COPY [^;]* FROM stdin;`, `\bpg_catalog\.`, `\bOWNER TO\b`, `\bCREATE EXTENSION\b`, `\bAS ENUM\b`, `\bjsonb\b`, `\btimestamptz\b`,
			`\bbytea\b`, `\b(big|small)?serial\b`, `\$\$`, `'::[a-z]`, `\bCREATE DOMAIN\b`, `\bgen_random_uuid\(\)`, `\bALTER TABLE ONLY\b`, `\bUSING (gin|gist|btree)\b`),
		marks(usual, `\bCOMMENT ON (TABLE|COLUMN)\b`, `\bGENERATED (ALWAYS|BY DEFAULT) AS IDENTITY\b`, `\bwith(out)? time zone\b`, `\bcharacter varying\b`, `\bnow\(\)`, `\bpublic\.`))},
	{"mysql", join(
		marks(header, `^-- (MySQL|MariaDB) dump`, `^/\*M?!\d+`, `^-- phpMyAdmin SQL Dump`),
		marks(own, `\bENGINE ?= ?\w+`, `\bAUTO_INCREMENT\b`, `^LOCK TABLES\b`, `^DELIMITER\b`, `\bDEFAULT CHARSET\b`, `\bON UPDATE CURRENT_TIMESTAMP\b`, `\benum ?\('`, `\b(medium|long|tiny)(text|blob)\b`, `\bmediumint\b`),
		marks(usual, "^[ \t]*`\\w+`", "\\bTABLE (IF NOT EXISTS )?`", `\bint(eger)? ?(\(\d+\))? unsigned\b`, `\b(tiny|big)int ?\(\d+\)`, `^[ \t]*KEY\b`, `\bUNIQUE KEY\b`, ` COMMENT '`))},
	{"mssql", join(
		marks(header, `^/\*{6} Object:`, `^SET ANSI_NULLS\b`),
		marks(own, `^GO[ \t]*\r?$`, `\[dbo\]\.`, `\bsp_addextendedproperty\b`, `\bIDENTITY ?\(\d+ ?, ?\d+\)`, `\bNVARCHAR ?\(MAX\)`, `\buniqueidentifier\b`, `\bNONCLUSTERED\b`, `\bdatetime(2|offset)\b`,
			`\bGETDATE\(\)`, `\bSYSUTCDATETIME\(\)`, `\bNEWID\(\)`, `\bON \[PRIMARY\]`),
		marks(usual, `\bTABLE \[\w+\]`, `\bnvarchar\b`, `\bN'`, `\bdbo\.`, `\bPRIMARY KEY CLUSTERED\b`))},
	{"sqlite", join(
		marks(header, `^PRAGMA \w+ ?=`),
		marks(own, `\bAUTOINCREMENT\b`, `\bWITHOUT ROWID\b`, `\bsqlite_(sequence|schema|master)\b`, `\) ?STRICT\b`, `\bCREATE VIRTUAL TABLE\b`),
		marks(usual, `\bINTEGER PRIMARY KEY\b`, `\bstrftime\(`, `\bdatetime\('now'\)`))},
}
