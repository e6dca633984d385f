package driver

import (
	"errors"
	"io"
	"testing"

	driversql "github.com/go-sql-driver/mysql"
	driverms "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

// A step whose answer breaks off keeps its number, and has words for people;
// what the server or berth said of a step stays as it is.
func TestAStepThatTheConnectionLosesHasWords(t *testing.T) {
	broken := func(err error) *designer.StepError {
		return &designer.StepError{Index: 2, Step: designer.Step{Comment: "make t"}, Applied: 1, Err: err}
	}
	for _, cause := range []error{driverms.StreamError{InnerError: io.ErrUnexpectedEOF}, driverms.StreamError{InnerError: errors.New("unknown token type 5")}, io.ErrUnexpectedEOF, driversql.ErrMalformPkt} {
		err := Restate(broken(cause))
		var step *designer.StepError
		if assert.ErrorAs(t, err, &step) {
			assert.Equal(t, 2, step.Index)
			assert.Equal(t, 1, step.Applied)
		}
		assert.ErrorIs(t, err, cause)
		for _, raw := range []string{"TDS", "EOF", "token", "malformed", "packet"} {
			assert.NotContains(t, err.Error(), raw)
		}
	}
	for _, cause := range []error{driverms.Error{Number: 102, Message: "Incorrect syntax, unexpected EOF"}, &driversql.MySQLError{Number: 1064, Message: "malformed"}, errors.New("an unexpected row is in the way")} {
		assert.Equal(t, broken(cause), Restate(broken(cause)))
	}
}
