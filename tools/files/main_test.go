package files

import (
	"os"
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// TestMain keeps databases from one test to the next.
func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
