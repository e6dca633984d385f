package version

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAVersionIsHalfTheHashOfTheWholeContent(t *testing.T) {
	assert.Equal(t, "47DEQpj8HBSa-_TImW-5JA", Of(nil), "SHA-256 of nothing begins e3b0c44298fc1c149afbf4c8996fb924")
	assert.Equal(t, "ungWv48Bz-pBQUDeXa4iIw", Of([]byte("abc")), "ba7816bf8f01cfea414140de5dae2223")
}

func TestAChangeInTheMiddleOfAFileChangesItsVersion(t *testing.T) {
	a, b := make([]byte, 1<<20), make([]byte, 1<<20)
	b[1<<19] = 1
	assert.NotEqual(t, Of(a), Of(b), "same size, same first and last kilobyte")
}
