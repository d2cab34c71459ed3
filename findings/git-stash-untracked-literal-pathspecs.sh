#!/bin/sh
# git (tried: 2.39.5): `git --literal-pathspecs stash push --include-untracked` without any path.
# Expected: as without the option, since no pathspec is given: untracked files are stashed and removed from the work tree,
# or the command fails.
# Seen: exit 0; the untracked file is in the stash and stays in the work tree, so that a pop of the stash conflicts with it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git --version
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q .
echo one > tracked.txt
git add tracked.txt
git commit -qm first

stash() {
  echo two > tracked.txt
  echo new > untracked.txt
  git "$@" stash push --quiet --include-untracked
  git status --porcelain
}

plain=$(stash --no-pager)
git stash drop -q
literal=$(stash --literal-pathspecs)
stored=$(git show --name-only --format= 'stash@{0}^3')
echo "left without the option: '$plain', with it: '$literal', stored: '$stored'"
[ "$plain" = "" ] && [ "$literal" = "?? untracked.txt" ] && [ "$stored" = "untracked.txt" ]
