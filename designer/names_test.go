package designer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/e2e/long"
)

func TestFoldedNamesAreEqualWhereNamesAre(t *testing.T) {
	letters := []string{"k", "K", "\u212a", "s", "S", "ſ", "ß", "ẞ", "Å", "å", "\u212b", "Σ", "σ", "ς", "İ", "i", "ı", "I", "a", "\xff", "世"}
	long.Check(t, func(rt *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom(letters), 0, 2)
		a, b := strings.Join(text.Draw(rt, "a"), ""), strings.Join(text.Draw(rt, "b"), "")
		assert.Equal(rt, strings.EqualFold(a, b), Fold(a) == Fold(b), "%q and %q", a, b)
		assert.Equal(rt, Fold(a), Fold(Fold(a)))
	})
}

func TestHintsAreFewAndNear(t *testing.T) {
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprint("Table", i))
	}
	got := Nearest("tabel7", append(names, "Table7x", strings.Repeat("long", 40)))
	assert.Len(t, got, MaxHints)
	assert.Equal(t, "Table7", got[0])
	assert.Equal(t, []string{"a", "b"}, Nearest("zz", []string{"a", "b"}), "equally near ones keep their order")
	assert.Empty(t, Nearest("a", nil))
	assert.Equal(t, []string{strings.Repeat("x", 64) + "…"}, Nearest("x", []string{strings.Repeat("x", 99)}))
}

func TestALongListOfNamesIsCut(t *testing.T) {
	s := emptySchema(serverDialect())
	edits := `{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true},{"name":"Up","dataType":"int"}]}`
	for range 8 {
		edits += "," + addsKey("T", `{"referencedTable":{"name":"T"},"mappings":[{"column":"Up","referencedColumn":"Id"}]}`)
	}
	apply(t, s, "["+edits+"]")
	err := refuse(t, s, dropsColumn("T", "Id"))
	assert.Equal(t, "Column 'Id' cannot be dropped: foreign key 'FK_T_T', 'FK_T_T_2', 'FK_T_T_3', 'FK_T_T_4', 'FK_T_T_5' and 3 more uses it; drop the key first", err.Message)
	assert.EqualError(t, err, "validation_error: "+err.Message)
	assert.Contains(t, Reasons(), err.Reason)
}
