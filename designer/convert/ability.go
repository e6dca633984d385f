package convert

import "github.com/berth-dev/berth/designer"

// ability describes what a dialect can do, as far as conversions need to know
// it beyond the data in [designer.Dialect].
type ability struct {
	unicode     bool // every text type holds any text
	comments    bool // tables and columns have comments
	deferrable  bool // foreign keys can wait for the end of a transaction
	include     bool // indexes store further columns
	expressions bool // indexes on expressions
	plainWhere  bool // a partial index compares columns with values, nothing else
	manyNulls   bool // a unique key takes many rows without a value
	booleans    bool // expressions can use true and false
	strictBool  bool // a boolean is not a number
	concat      bool // || joins texts
	wholeDivide bool // 3 / 2 is 1
	keyText     int  // length of an unbounded text in a key; 0: may be unbounded
	keyBytes    int  // most bytes of an index's texts; 0: no relevant limit
	rowBytes    int  // most bytes of a row's bounded texts; 0: no relevant limit
	charBytes   int  // bytes of a character in keyBytes, rowBytes and the length of a type
	fromOne     bool // identity columns count from 1 by 1
	plainNames  bool // all primary keys have the same name, so it is ignored
	freeCounter bool // a check may name an identity column
	patternSets bool // LIKE takes sets of characters in brackets
	foldsCase   bool // texts that differ in case only are equal, by default
	trimsAny    bool // trim takes the characters to remove
	threeParts  bool // substring needs its length
	avoid       []designer.TypeKind
}

// abilities by the name of the dialect. It is never modified.
var abilities = map[string]ability{
	"sqlite": {unicode: true, trimsAny: true, freeCounter: true, fromOne: true, deferrable: true, expressions: true, manyNulls: true, booleans: true, concat: true, wholeDivide: true},
	"postgres": {unicode: true, trimsAny: true, freeCounter: true, comments: true, deferrable: true, include: true, expressions: true, manyNulls: true, booleans: true,
		strictBool: true, concat: true, wholeDivide: true,
		avoid: []designer.TypeKind{designer.KindMoney}}, // has two digits after the point and compares with nothing else
	// The types to avoid are MariaDB's alone.
	"mysql": {unicode: true, foldsCase: true, fromOne: true, comments: true, manyNulls: true, booleans: true, keyText: 255, keyBytes: 3072, rowBytes: 60000, charBytes: 4,
		plainNames: true, avoid: []designer.TypeKind{designer.KindUUID, designer.KindNetwork}},
	"mssql": {foldsCase: true, threeParts: true, freeCounter: true, patternSets: true, comments: true, include: true, plainWhere: true, strictBool: true, wholeDivide: true, keyText: 450},
}

func (c *converter) can() ability { return abilities[c.to.Name] }
func (c *converter) had() ability { return abilities[c.from.Name] }
