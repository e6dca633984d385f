package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Names that usually hold secrets: those tried when berth was attacked, and
// those that secret scanners look for.
const heldBackNames = `
.env .env.local .env.production .env.development.local .env~ .env.bak .env.old .env.save .env.swp ..env.swp .env.1 #.env# .#.env prod.env env .flaskenv .envrc .dev.vars ENV .Env .env.
.devdbrc .devdbrc.json .berth/config.yaml .berth/workspace.yaml
server.pem server.key example.com.key example.com.pem app.p12 app.pfx app.pkcs12 release.jks release.keystore AuthKey.p8 cert.der key.pk8 putty.ppk krb.keytab
mail.asc backup.gpg backup.pgp id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_rsa.bak id_rsa.old id_rsa~ .id_rsa.swp deploy_rsa github_ed25519
.ssh/id_foo .ssh/config .ssh/keys/work .gnupg/secring.gpg home/.gnupg/private-keys-v1.d/a age/keys.txt age-key.txt identity my.agekey master.key config/master.key secret_token.rb
vault.kdbx old.kdb safe.psafe3 login.keychain login.keychain-db wallet.kwallet .password-store/mail/me .vault_pass .vault_pass.txt vault.yml group_vars/all/vault.yml .vault-token passwords.txt
secret.yml secrets.yml secrets.yaml secrets.json secrets.toml k8s/secret.yaml .secrets credentials credentials.json credentials.yml config/credentials.yml credentials.xml credentials.csv
.claude/.credentials.json .codex/auth.json auth.json .gemini/oauth_creds.json .claude.json token.json .token api.token accessTokens.json
application_default_credentials.json service-account.json my-service-account.json service_account_prod.json serviceAccountKey.json app-firebase-adminsdk-x1.json
client_secret.json client_secret_123.apps.googleusercontent.com.json client_secrets.json gcp-key.json rootkey.csv me_accessKeys.csv
kubeconfig prod.kubeconfig kubeconfig.yaml .kube/config .aws/credentials .aws/config .azure/accessTokens.json .config/gcloud/access_tokens.db .oci/config
.boto .s3cfg rclone.conf .config/rclone/rclone.conf .passwd-s3fs doctl/config.yaml .config/gh/hosts.yml .config/hub .dockercfg .docker/config.json .dockerconfigjson azure.cscfg knife.rb
prod.tfvars terraform.tfvars dev.auto.tfvars vars.tfvars.json terraform.tfstate terraform.tfstate.backup terraform.tfstate.1699 .terraformrc terraform.rc credentials.tfrc.json
.npmrc .pypirc .netrc _netrc .git-credentials .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .m2/settings.xml .gradle/gradle.properties settings-security.xml
.pgpass pgpass.conf .pg_service.conf .my.cnf .mylogin.cnf database.yml config/database.yml dbeaver-data-sources.xml credentials-config.json .idea/dataSources.local.xml robomongo.json
wp-config.php wp-config.php.bak wp-config.php~ LocalSettings.php settings.local.php local_settings.py config.inc.php local.settings.json
appsettings.Production.json appsettings.Local.json application-prod.yml application-local.properties omniauth.rb
sftp-config.json .vscode/sftp.json .ftpconfig filezilla.xml recentservers.xml .htpasswd htpasswd box.rdp .muttrc .msmtprc home.ovpn wg0.conf etc/wireguard/home.conf
.bash_history .zsh_history .sh_history .history .psql_history .mysql_history .sqlite_history .python_history .node_repl_history .irb_history .rediscli_history fish_history ConsoleHost_history.txt .viminfo
config/parameters.yml otr.private_key proftpdpasswd prod.publishsettings`

// Names of files that people and agents need every day.
const openedNames = `
.env.example .env.sample .env.template .env.local.example .env.dist .env.schema example.env sample.env env.go env.ts env.d.ts environment.ts
secrets.example.yml terraform.tfvars.example example.tfvars wp-config-sample.php credentials.json.example
main.tf variables.tf id_rsa.pub .ssh/id_ed25519.pub authorized_keys known_hosts server.crt ca.cer request.csr
package.json package-lock.json tsconfig.json composer.json Cargo.toml go.mod pom.xml settings.xml build.gradle gradle.properties pip.conf nuget.config .yarnrc.yml
settings.py settings.json appsettings.json appsettings.Development.json application.yml application.properties application.ts config.yaml config.json
credentials.go credentials.ts secrets.go secret.go secrets.py secrets.ts token.go tokens.json tokens.css auth.ts auth.go passwords.go password.test.ts history.go HISTORY HISTORY.md CHANGELOG.md
schema.rb database.go database.sql keys.go key.go keyboard.ts monkey.js service-account.md service_account.go vault.go vault.tf rclone.go kube/deploy.yaml
.mcp.json .claude/settings.json .vscode/settings.json .vscode/tasks.json Makefile Dockerfile docker-compose.yml .gitignore .github/workflows/ci.yml README.md`

func TestNamesThatUsuallyHoldSecretsAreHeldBack(t *testing.T) {
	names := strings.Fields(heldBackNames)
	assert.GreaterOrEqual(t, len(names), 177)
	read := 0
	for _, name := range names {
		if !assert.True(t, secret(name), "%s is read", name) {
			read++
		}
		assert.True(t, secret("deep/er/"+name), "deep/er/%s is read", name)
		assert.True(t, secret(strings.ToUpper(name)), "%s is read in upper case", name)
	}
	t.Logf("%d of %d names are read", read, len(names))
	assert.True(t, secret("~/ copy of/.env copy"))
}

func TestFilesOfEveryDayAreRead(t *testing.T) {
	for _, name := range strings.Fields(openedNames) {
		assert.False(t, secret(name), "%s is held back", name)
	}
}

func TestEveryHeldGroupSaysWhy(t *testing.T) {
	for _, g := range heldBack {
		assert.NotEmpty(t, g.what)
		assert.NotEmpty(t, g.why)
		assert.NotEmpty(t, g.names)
		for _, name := range g.names {
			assert.Equal(t, strings.ToLower(name), name, "names are matched in lower case")
		}
	}
}
