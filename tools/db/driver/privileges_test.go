package driver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGrantsOfMySQLAreRead(t *testing.T) {
	for line, want := range map[string]string{
		"GRANT USAGE ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD '*x'":                "",
		"GRANT SELECT, SHOW VIEW ON `shop`.* TO `u`@`%`":                           "",
		"GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION":      "ALL PRIVILEGES on *.*",
		"GRANT SELECT, INSERT, UPDATE (`a`, `b`) ON `shop`.`t` TO `u`@`%`":         "INSERT, UPDATE on shop.t",
		"GRANT INSERT ON `other`.* TO `u`@`%`":                                     "",
		"GRANT INSERT ON `sh\\_p`.* TO `u`@`%`":                                    "",
		"GRANT INSERT ON `sh_p`.* TO `u`@`%`":                                      "INSERT on sh_p.*",
		"GRANT INSERT ON `s%`.* TO `u`@`%`":                                        "INSERT on s%.*",
		"GRANT INSERT, UPDATE, DELETE, CREATE, DROP, ALTER ON `shop`.* TO `u`@`%`": "INSERT, UPDATE, DELETE and 3 more on shop.*",
		"GRANT `writer`@`%` TO `u`@`%`":                                            "perhaps, by the role `writer`",
		"GRANT `writer` TO `u`@`%`":                                                "",
		"GRANT EXECUTE ON `shop`.* TO `u`@`%`":                                     "EXECUTE on shop.*",
		"GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION":            "",
	} {
		var p Privileges
		p.grant(line, "shop")
		assert.Equal(t, want, strings.Join(p.Why, ", "), line)
		assert.Equal(t, want != "", p.Write, line)
	}
}
