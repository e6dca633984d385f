package convert

import "github.com/berth-dev/berth/designer"

// ability is what a conversion has to know of a dialect beyond its data in
// [designer.Dialect].
type ability struct {
	unicode     bool // every text type holds any text
	comments    bool // tables and columns have comments
	deferrable  bool // foreign keys can wait for the end of a transaction
	include     bool // indexes store further columns
	expressions bool // indexes on expressions
	plainWhere  bool // a partial index compares columns with values, nothing else
	manyNulls   bool // a unique key takes many rows without a value
	booleans    bool // true and false are words of an expression
	strictBool  bool // a truth value is no number
	concat      bool // || joins texts
	wholeDivide bool // 3 / 2 is 1
	keyText     int  // length of a text in a key where it would be unbounded; 0: that is no matter
	keyBytes    int  // most bytes of an index's texts; 0: no limit to heed
	rowBytes    int  // most bytes of a row's bounded texts; 0: no limit to heed
	charBytes   int  // bytes of a character in keyBytes, rowBytes and the length of a type
	fromOne     bool // columns that number themselves count from 1 by 1
	plainNames  bool // every primary key is called the same, so its name is none
	patternSets bool // LIKE takes sets of characters in brackets
	avoid       []designer.TypeKind
}

// abilities by the name of the dialect. It is never modified.
var abilities = map[string]ability{
	"sqlite": {unicode: true, fromOne: true, deferrable: true, expressions: true, manyNulls: true, booleans: true, concat: true, wholeDivide: true},
	"postgres": {unicode: true, comments: true, deferrable: true, include: true, expressions: true, manyNulls: true, booleans: true,
		strictBool: true, concat: true, wholeDivide: true,
		avoid: []designer.TypeKind{designer.KindMoney}}, // has two digits after the point and compares with nothing else
	// The types to avoid are MariaDB's alone.
	"mysql": {unicode: true, fromOne: true, comments: true, manyNulls: true, booleans: true, keyText: 255, keyBytes: 3072, rowBytes: 60000, charBytes: 4,
		plainNames: true, avoid: []designer.TypeKind{designer.KindUUID, designer.KindNetwork}},
	"mssql": {patternSets: true, comments: true, include: true, plainWhere: true, strictBool: true, wholeDivide: true, keyText: 450},
}

func (c *converter) can() ability { return abilities[c.to.Name] }
func (c *converter) had() ability { return abilities[c.from.Name] }
