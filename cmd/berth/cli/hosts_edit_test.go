package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheCommandOfAHostEndsInRelay(t *testing.T) {
	for given, want := range map[string]string{
		"ssh build1":                       "ssh -T -o BatchMode=yes build1 berth relay",
		"ssh berth":                        "ssh -T -o BatchMode=yes berth berth relay",
		"ssh -T build1 /opt/bin/berth":     "ssh -o BatchMode=yes -T build1 /opt/bin/berth relay",
		`ssh build1 C:\bin\berth.exe`:      `ssh -T -o BatchMode=yes build1 C:\bin\berth.exe relay`,
		"docker exec -i api berth relay":   "docker exec -i api berth relay",
		"/usr/bin/ssh build1 berth relay":  "/usr/bin/ssh -T -o BatchMode=yes build1 berth relay",
		"wsl.exe -d Ubuntu":                "wsl.exe -d Ubuntu berth relay",
		"ssh -o BatchMode=no build1 berth": "ssh -T -o BatchMode=no build1 berth berth relay",
	} {
		assert.Equal(t, want, strings.Join(relayCommand(strings.Fields(given)), " "), given)
	}
}
