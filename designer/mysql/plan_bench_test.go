package mysql_test

import (
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
)

func BenchmarkPlanOneEdit(b *testing.B) { enginetest.BenchmarkPlanOneEdit(b, mysql.Engine{}) }
