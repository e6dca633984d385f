package sqltext

import "strings"

// Rules are the lexical rules of a dialect. Each of the functions that return
// one returns a copy: a caller sets what its server's mode changes, such as
// ANSI_QUOTES, which makes NameQuotes "`\"" and StringQuotes "'".
type Rules struct {
	// NameQuotes holds the characters that open a quoted name, the preferred
	// one first. A bracket is closed by its counterpart.
	NameQuotes string
	// PlainBrackets says that ] always ends a name in brackets (SQLite);
	// elsewhere a doubled one is inside.
	PlainBrackets bool
	// StringQuotes holds the quotes of strings.
	StringQuotes string
	// Backslashes says that a backslash escapes the next character of a
	// string (MySQL, unless NO_BACKSLASH_ESCAPES is set).
	Backslashes bool
	// Prefixes are the letters, in lower case, that make a string of another
	// kind directly before its quote: N'…', X'…'.
	Prefixes string
	// EscapePrefix says that E'…' has backslash escapes (PostgreSQL).
	EscapePrefix bool
	// UnicodePrefix says that U&'…' and U&"…" have numbered characters
	// (PostgreSQL).
	UnicodePrefix bool
	// HexBlobs says that X'…' holds pairs of hexadecimal digits or nothing
	// that the scanner takes (SQLite).
	HexBlobs bool
	// StringNames says that a string may stand for a name (SQLite).
	StringNames bool
	// Introducers lists the character sets that, behind an underscore, are
	// words that name nothing: _utf8mb4'…' (MySQL).
	Introducers []string
	// DollarQuotes says that $tag$ … $tag$ is a string, and $1 a parameter
	// (PostgreSQL).
	DollarQuotes bool
	// EmptyNames says that a quoted name may be empty, as far as the scanner
	// is concerned.
	EmptyNames bool

	// NestedComments says that /* */ nests.
	NestedComments bool
	// OpenComments says that a /* */ may run to the end of the text (SQLite).
	OpenComments bool
	// HashComments says that a number sign starts a comment (MySQL).
	HashComments bool
	// BlankAfterDashes says that -- starts a comment only before a blank, a
	// control character or the end (MySQL).
	BlankAfterDashes bool
	// LineEnds holds the characters that end a line comment.
	LineEnds string
	// Programs says that /*! */, /*M! */ and /*+ */ do something (MySQL).
	Programs bool
	// ReadPrograms makes tokens of what stands within /*! */ and /*M! */, as
	// the server does; the marks at both ends are Program tokens.
	ReadPrograms bool

	// Spaces holds the characters that white space may begin with, InnerSpaces
	// those that may only follow.
	Spaces, InnerSpaces string
	// WideSpaces says that the white space of Unicode and controls count
	// (T-SQL).
	WideSpaces bool
	// MarkIsSpace says that a byte order mark is white space (SQLite).
	MarkIsSpace bool
	// EndsAtNUL says that a zero byte ends what the server reads (SQLite).
	EndsAtNUL bool
	// NULInStrings says that a string may hold a zero byte, as dumps of binary
	// values do (MySQL).
	NULInStrings bool

	// WordStarts holds the characters besides letters and the underscore that
	// begin a word, WordParts those besides these and digits that continue it.
	WordStarts, WordParts string
	// WideLetters says that letters are Unicode's (T-SQL). Elsewhere any byte
	// beyond ASCII is one.
	WideLetters bool
	// LowerWords says that a word is folded to lower case, ASCII only
	// (PostgreSQL).
	LowerWords bool
	// MaxName is the length in bytes to which names are cut; 0: they are not
	// (PostgreSQL).
	MaxName int

	// Radixes holds the letters after 0 that begin a number of another base.
	Radixes string
	// DigitSeparators says that digits may have _ among them.
	DigitSeparators bool
	// EmptyNumbers says that 0x and 1e are numbers without digits behind
	// (T-SQL).
	EmptyNumbers bool
	// AfterDigits says what a letter directly behind a number does.
	AfterDigits AfterDigits
	// DigitNames says that a name that follows another and a point directly may
	// begin with a digit: t.1a (MySQL).
	DigitNames bool
	// Money says that a currency sign begins a number (T-SQL).
	Money bool

	// Variables says which parameters and variables there are beside $1.
	Variables Variables
	// OperatorCharacters are those that operators of any length consist of;
	// OperatorMarks those of them that let one end in + or - (PostgreSQL).
	// "": Operators lists all longer ones.
	OperatorCharacters, OperatorMarks string
	// Operators are those of more than one character, longer ones first, and
	// Punctuation the single characters that are one.
	Operators   []string
	Punctuation string

	// OtherLogic are the operators besides AND, OR and NOT that bind no closer
	// than one of these in some mode of the server (MySQL).
	OtherLogic []string
	// NotMayBindCloser says that a mode of the server has NOT bind closer than
	// comparisons (MySQL's HIGH_NOT_PRECEDENCE).
	NotMayBindCloser bool

	// Strict makes text Illegal that servers or versions of the dialect split
	// differently.
	Strict bool
}

// AfterDigits says what a letter directly behind a number does.
type AfterDigits int

// What a letter behind a number does.
const (
	Refused AfterDigits = iota // the server refuses the run
	Joined                     // digits and letters are a word: 1a is a name (MySQL)
	Apart                      // a word begins: 1a is the number and an alias (T-SQL)
)

// Variables says which variables there are.
type Variables int

// The families of variables.
const (
	NoVariables     Variables = iota
	MySQLVariables            // ?, @a, @'a', @`a`, @@a, @@global.a
	TSQLVariables             // @a, @@a
	SQLiteVariables           // ?, ?1, :a, @a, $a, #a
)

// asciiSpaces is what C's isspace takes.
const asciiSpaces = " \t\n\v\f\r"

// characterSets are those of MySQL and MariaDB.
const characterSets = "armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr gb18030 gb2312 " +
	"gbk geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 tis620 ucs2 ujis utf16 " +
	"utf16le utf32 utf8 utf8mb3 utf8mb4"

// PostgreSQL returns the rules of PostgreSQL with standard_conforming_strings
// on.
func PostgreSQL() Rules {
	return Rules{
		NameQuotes: `"`, StringQuotes: `'`, Prefixes: "bxn", EscapePrefix: true, UnicodePrefix: true, DollarQuotes: true,
		NestedComments: true, LineEnds: "\n\r", Spaces: asciiSpaces,
		WordParts: "$", LowerWords: true, MaxName: 63,
		Radixes: "xob", DigitSeparators: true,
		OperatorCharacters: "+-*/<>=~!@#^&|`?%", OperatorMarks: "~!@#^&|`?%",
		Operators: []string{"::", ":=", ".."}, Punctuation: ",()[].;:",
	}
}

// MySQL returns the rules of MySQL and MariaDB with a sql_mode that has
// neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES. Names keep their case: what
// the server makes of it depends on its platform.
func MySQL() Rules {
	return Rules{
		NameQuotes: "`", StringQuotes: `'"`, Backslashes: true, Prefixes: "bxn", Introducers: strings.Fields(characterSets), EmptyNames: true,
		HashComments: true, BlankAfterDashes: true, LineEnds: "\n", Programs: true, Spaces: asciiSpaces, NULInStrings: true,
		WordStarts: "$", Radixes: "xb", AfterDigits: Joined, DigitNames: true, Variables: MySQLVariables,
		Operators:   []string{"->>", "<=>", ":=", "->", "<=", "<>", "<<", ">=", ">>", "!=", "||", "&&"},
		Punctuation: "!%&()*+,-./:;<=>^{|}~",
		OtherLogic:  []string{"XOR", "||", "&&", ":="}, NotMayBindCloser: true,
	}
}

// TSQL returns the rules of SQL Server with QUOTED_IDENTIFIER on. Names keep
// their case.
func TSQL() Rules {
	return Rules{
		NameQuotes: `["`, StringQuotes: `'`, Prefixes: "n", EmptyNames: true,
		NestedComments: true, LineEnds: "\n", WideSpaces: true,
		WordStarts: "#", WordParts: "@$", WideLetters: true,
		Radixes: "x", EmptyNumbers: true, AfterDigits: Apart, Money: true, Variables: TSQLVariables,
		Operators:   []string{"<=", "<>", ">=", "!=", "!<", "!>", "::", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="},
		Punctuation: "!%&()*+,-./:;<=>^|~",
	}
}

// SQLite returns the rules of SQLite's tokenizer (tokenize.c, 3.53).
func SQLite() Rules {
	return Rules{
		NameQuotes: "\"[`", PlainBrackets: true, StringQuotes: `'`, Prefixes: "x", HexBlobs: true, StringNames: true, EmptyNames: true,
		OpenComments: true, LineEnds: "\n", Spaces: " \t\n\f\r", InnerSpaces: "\v", MarkIsSpace: true, EndsAtNUL: true,
		WordParts: "$", Radixes: "x", DigitSeparators: true, Variables: SQLiteVariables,
		Operators:   []string{"->>", "->", "==", "<=", "<>", "<<", ">=", ">>", "!=", "||"},
		Punctuation: "-+*/%=<>|&~,;.()",
	}
}
