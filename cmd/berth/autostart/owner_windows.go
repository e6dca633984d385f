package autostart

import "golang.org/x/sys/windows"

// ownFolder reports whether a folder belongs to the user of this process, or
// to the administrators that this process is one of: what such a process
// makes is theirs.
func ownFolder(path string) (bool, error) {
	descriptor, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false, err
	}
	owner, _, err := descriptor.Owner()
	if err != nil {
		return false, err
	}
	token := windows.GetCurrentProcessToken()
	user, err := token.GetTokenUser()
	if err != nil {
		return false, err
	}
	if owner.Equals(user.User.Sid) {
		return true, nil
	}
	administrators, err := windows.CreateWellKnownSid(windows.WinBuiltinAdministratorsSid)
	if err != nil {
		return false, err
	}
	if !owner.Equals(administrators) {
		return false, nil
	}
	return windows.Token(0).IsMember(administrators)
}
