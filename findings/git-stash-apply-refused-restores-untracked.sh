#!/bin/sh
# git (tried: 2.39.5): `git stash apply` of a stash with an untracked file, over a local change of a file of the stash.
# Expected: "Your local changes ... would be overwritten", and nothing is applied.
# Seen: exit 1 with that message, but the untracked file of the stash is restored; the next attempt then fails because it exists.
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
echo two > tracked.txt
echo new > untracked.txt
git stash push -q --include-untracked
echo mine > tracked.txt
code=0
git stash apply -q > /dev/null 2>&1 || code=$?
echo "exit $code, tracked: $(cat tracked.txt), untracked: $(cat untracked.txt 2>/dev/null || echo missing)"
[ "$code" = 1 ] && [ "$(cat tracked.txt)" = mine ] && [ "$(cat untracked.txt)" = new ]
