#!/bin/sh
# git (tried: 2.39.5): `git stash push` and `git stash apply` while another program holds the lock of the index.
# Expected: as other commands, a message that names the lock: "Unable to create '.../index.lock': File exists."
# Seen: exit 1 and no message at all, also without --quiet, so that a program can't tell why nothing was stashed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git --version
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q .
echo one > a.txt
git add a.txt
git commit -qm first
echo two > a.txt
touch .git/index.lock
code=0
output=$(git stash push 2>&1) || code=$?
add=$(git add a.txt 2>&1 | head -n 1) || true
echo "stash: exit $code, '$output'; add: '$add'"
[ "$code" = 1 ] && [ "$output" = "" ] && [ "$add" != "" ]
