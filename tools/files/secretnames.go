package files

// heldBack is the list of names whose files are listed and not read: what
// secret scanners look for by name, and what usually holds a password, a token
// or a private key. Where the list comes from, and what was left out so that
// people's daily files stay readable, is docs/decisions/0037-held-back-names.md.
//
// A name is matched in lower case and without the suffix of a backup. It is
//
//	name        the last part of a path
//	*.ext       its end
//	name.*      its start, with any extension
//	folder/…    the same, in a folder of that name; folder/** at any depth
//
// Each group has a name for replies and the reason why it is held back.
var heldBack = []heldGroup{
	{"environment files", "passwords and tokens of the running program", false, []string{
		".env", ".env.*", "*.env", "env", ".envrc", ".flaskenv", ".dev.vars", ".dev.vars.*",
	}},
	{"berth's own sources of passwords", "connections with their passwords", false, []string{
		".devdbrc", ".devdbrc.*", ".berth/config.yaml", ".berth/workspace.yaml",
	}},
	{"keys and keystores", "private keys, or containers of them", true, []string{
		"*.pem", "*.key", "*.keypair", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.pk8", "*.der", "*.ppk", "*.jks", "*.jceks", "*.bks",
		"*.keystore", "*.truststore", "*.keyring", "*.keytab", "*.asc", "*.gpg", "*.pgp", "*.agekey",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss",
		"*_rsa", "*_dsa", "*_ecdsa", "*_ed25519", "*_ecdsa_sk", "*_ed25519_sk", "identity", "age-key.txt", "age/keys.txt", "age/key.txt", "key.txt",
		"otr.private_key", "secret_key_base", "secret_token.rb", "master.key", ".ssh/**", ".gnupg/**", "secring.*",
	}},
	{"password stores", "every password of a person", false, []string{
		"*.kdb", "*.kdbx", "*.psafe3", "*.agilekeychain", "*.opvault", "*.1pux", "*.keychain", "*.keychain-db", "*.kwallet", "*.bek", "*.tpm", "*.fve",
		".password-store/**", ".vault_pass", ".vault_pass.*", ".vault-pass", ".vault-password", "vault_pass.*", "vault-password.*", "vault.yml", "vault.yaml",
		".vault-token", "password.txt", "passwords.txt", "passwords.csv",
	}},
	{"files of secrets", "named for what they hold", false, []string{
		"secret", "secrets", ".secret", ".secrets", "*.secret", "*.secrets",
		"secret.yml", "secret.yaml", "secret.json", "secret.toml", "secret.ini", "secret.txt", "secret.properties", "secret.xml",
		"secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "secrets.ini", "secrets.txt", "secrets.properties", "secrets.xml", "secrets.env", "secrets.tfvars",
		"credentials", "credentials.json", "credentials.yml", "credentials.yaml", "credentials.toml", "credentials.xml", "credentials.ini",
		"credentials.csv", "credentials.db", "credentials.txt", "credentials.properties", "credentials.tfrc.json", ".credentials", ".credentials.json",
		"oauth_creds.json", "token.json", "token.pickle", "token", ".token", "*.token", "auth.json", "accesstokens.json", "msal_token_cache.*",
	}},
	{"cloud and cluster credentials", "access to what runs elsewhere", false, []string{
		"application_default_credentials.json", "service-account.json", "service_account.json", "serviceaccount.json", "service-account-key.json",
		"service-account-file.json", "serviceaccountkey.json", "firebase-adminsdk.json", "gcp-key.json", "gcloud-service-key.json", "client_secret.json", "client_secrets.json",
		"accesskeys.csv", "rootkey.csv", ".boto", ".s3cfg", ".passwd-s3fs", "rclone.conf", ".tugboat", "doctl/config.yaml", "gh/hosts.yml", ".config/hub",
		"kubeconfig", "kubeconfig.*", "*.kubeconfig", ".kube/**", ".aws/**", ".azure/**", ".oci/**", "gcloud/**", "knife.rb",
		".dockercfg", ".dockerconfigjson", ".docker/config.json", "*.cscfg", "*.publishsettings", "*.pubxml.user", ".pulumi/credentials.json",
	}},
	{"infrastructure state and variables", "the passwords of what they create, in clear", false, []string{
		"*.tfvars", "*.tfvars.json", "*.tfstate", "*.tfstate.backup", "*.tfstate.*", ".terraformrc", "terraform.rc",
	}},
	{"package registries", "tokens to publish with", false, []string{
		".npmrc", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".cargo/credentials.*", ".gem/credentials", ".bundle/config",
		".m2/settings.xml", "settings-security.xml", ".gradle/gradle.properties", ".composer/auth.json",
	}},
	{"database clients", "servers with their passwords", false, []string{
		".pgpass", "pgpass.conf", ".pg_service.conf", "pg_service.conf", ".my.cnf", ".mylogin.cnf", "database.yml", "dbeaver-data-sources.xml",
		"credentials-config.json", "datasources.local.xml", "robomongo.json", "favorites.plist", "config/parameters.yml",
	}},
	{"applications' own settings", "by custom with a password in it; the file beside it without the environment's name stays readable", false, []string{
		"wp-config.php", "localsettings.php", "settings.local.php", "local_settings.py", "config.inc.php", "local.settings.json",
		"appsettings.local.json", "appsettings.production.json", "appsettings.staging.json", "appsettings.secrets.json",
		"application-local.*", "application-prod.*", "application-production.*", "application-staging.*", "application-secret.*", "application-secrets.*",
		"carrierwave.rb", "omniauth.rb", "jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml",
	}},
	{"agents and tools", "sessions of a person", false, []string{
		".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".copilot/**", "sftp-config.json", "sftp.json", ".ftpconfig", ".remote-sync.json",
		"filezilla.xml", "recentservers.xml", "sitemanager.xml", "ventrilo_srv.ini", "proftpdpasswd", ".htpasswd", "htpasswd", "*.rdp",
	}},
	{"mail, chat and networks", "accounts and tunnels", false, []string{
		".muttrc", ".msmtprc", ".esmtprc", ".fetchmailrc", ".offlineimaprc", ".trc", ".irssi/config", ".purple/accounts.xml",
		"*.ovpn", "*.tblk", "wireguard/**", "wg0.conf", "wg1.conf", "wg2.conf", ".smbcredentials", "krb5cc_*",
	}},
	{"histories", "what somebody typed, passwords among it", false, []string{
		".history", "*_history", "fish_history", "consolehost_history.txt", ".mycli-history", ".dbshell", ".lesshst", ".viminfo",
	}},
}

// openNames are names that would be held back but whose files contain no
// secrets: templates and public keys.
var openNames = []string{"known_hosts", "known_hosts.old", "authorized_keys", "wp-config-sample.php", "*.pub"}

// formEnds mark a template as the last part of a name, formWords also as the
// last but one before an extension in formKinds: .env.example,
// secrets.sample.yml.
var (
	formEnds  = []string{"example", "sample", "template", "tmpl", "dist", "defaults", "schema"}
	formWords = []string{"example", "sample", "template"}
	formKinds = []string{"env", "yml", "yaml", "json", "toml", "ini", "xml", "php", "py", "rb", "tfvars", "properties", "conf", "txt", "csv", "md"}
)

// backupEnds are what editors and people put behind the name of a copy.
var backupEnds = []string{"~", ".bak", ".backup", ".old", ".orig", ".save", ".saved", ".swp", ".swo", ".copy", ".tmp", ".rej", ".disabled", "_backup", "-backup", ".1", ".2", ".3", " copy"}
