package lazyregexp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

func TestAnExpressionIsCompiledOnce(t *testing.T) {
	word := lazyregexp.New(`^\w+$`)
	assert.True(t, word().MatchString("word"))
	assert.Same(t, word(), word())
}

func TestAWrongExpressionIsFoundByTheTestsOfItsPackage(t *testing.T) {
	assert.Panics(t, func() { lazyregexp.New(`(`) })
}
