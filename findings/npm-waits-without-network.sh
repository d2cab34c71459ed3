#!/usr/bin/env bash
# npm 11.6.2 on Node: where nothing answers at the registry's address, as in a sandbox without a network, an install of a package
# that is not cached does not fail at once. Each request is repeated twice, after 10 s and after 60 s.
# Expected: a refused connection to this machine is an error at once, as in curl.
# Seen: the error (ECONNREFUSED) after 70 s, without a line of output until then. An agent whose commands end after 30 or 60 s gets
# no reason at all. With npm_config_fetch_retries=0 the same error comes within a second.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-audit --no-fund --prefix npm npm@11.6.2
npm=$place/npm/node_modules/npm/bin/npm-cli.js
mkdir project
echo '{"private":true}' > project/package.json

# Prints how many seconds an install took that failed with the code of a refused connection.
seconds_until_refused() {
  local from=$SECONDS log=$place/log
  if (cd project && node "$npm" install is-odd@3.0.1 --cache "$place/cache" --registry http://127.0.0.1:9 > "$log" 2>&1); then
    echo "the install did not fail" >&2
    return 1
  fi
  grep -q ECONNREFUSED "$log"
  echo $((SECONDS - from))
}

usual=$(seconds_until_refused)
once=$(npm_config_fetch_retries=0 seconds_until_refused)
echo "npm $(node "$npm" --version): refused after $usual s, with fetch_retries=0 after $once s"
[ "$usual" -ge 60 ] && [ "$once" -le 10 ]
