package settings

// trustedPeersField names users whose connections an instance accepts beside
// its own user's. It says who may knock, so a project's file must not set it.
func trustedPeersField() field[Settings] {
	return forUser(wordsField("trustedPeers", func(s *Settings) *[]string { return &s.TrustedPeers }))
}
