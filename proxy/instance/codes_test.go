package instance

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASignInFileGoesWhenItsTimeIsUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "signin", "1-X.html")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	synctest.Test(t, func(t *testing.T) {
		c := &codes{now: time.Now}
		code := c.issue(path)
		time.Sleep(codeLife)
		synctest.Wait()
		assert.FileExists(t, path)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.NoFileExists(t, path)
		assert.False(t, c.redeem(code))
		c.close()
	})
}
