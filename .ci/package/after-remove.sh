#!/bin/sh
# Says what a package manager leaves: berth's own folder of each user, which is
# theirs. dpkg calls it with "remove" or "purge", rpm with 0, apk with nothing;
# an upgrade says nothing.
case "${1:-remove}" in
remove | purge | 0 | [0-9]*.*)
  echo "berth's own folder stays with each user who ran it: ~/.config/berth (designs, settings, passwords); remove it by hand if it is not wanted"
  ;;
esac
exit 0
