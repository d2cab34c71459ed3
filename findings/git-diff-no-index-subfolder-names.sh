#!/bin/sh
# git (tried: 2.39.5): `git diff --no-index /dev/null FILE` in a folder below the top of a work tree.
# Expected: names relative to the top, as `git diff` prints them in the same folder, so that `git apply --cached` stages this file.
# Seen: names relative to the folder; applied as any other patch, it creates a file of this name at the top of the index, with exit 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git --version
export GIT_CONFIG_GLOBAL=/dev/null
git init -q .
mkdir sub
echo one > sub/tracked.txt
git add .
echo two > sub/tracked.txt
echo new > sub/new.txt
cd sub
tracked=$(git diff -- tracked.txt | sed -n 's/^+++ //p')
untracked=$(git diff --no-index /dev/null new.txt | sed -n 's/^+++ //p' || true)
git diff --no-index /dev/null new.txt > ../patch || true
cd ..
git apply --cached patch
staged=$(git ls-files | tr '\n' ' ')
echo "diff: $tracked; diff --no-index: $untracked; staged: $staged"
[ "$tracked" = b/sub/tracked.txt ] && [ "$untracked" = b/new.txt ] && [ "$staged" = "new.txt sub/tracked.txt " ]
