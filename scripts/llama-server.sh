#!/usr/bin/env bash
# Unpacks the llama.cpp server that Debian packages into a folder, without installing it, and prints the command that
# runs it:
#   scripts/llama-server.sh FOLDER
# The packages come from the mirror that apt uses on this machine, verified with the Debian keyring. Requires Debian,
# root and apt-get.
set -euo pipefail
folder=${1:?usage: llama-server.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
run="$folder/llama-server"
if [ -x "$run" ]; then
  echo "$run"
  exit 0
fi
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  sed -nE 's#^(deb|URIs:).*(https?://[^ ]*/debian/?)( .*)?$#\2#p' | grep -v security | head -n 1)
if [ -z "$mirror" ]; then
  echo "apt has no Debian mirror here" >&2
  exit 1
fi
state="$folder/apt"
mkdir -p "$state/lists/partial" "$state/archives/partial" "$folder/packages" "$folder/root"
: >"$state/status"
printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' "$mirror" >"$state/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State=$state"
  -o "Dir::State::status=$state/status" -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state"
  -o "Dir::Cache::archives=$state/archives" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root)
apt-get "${options[@]}" update >&2
# Includes its own C library, so that it also runs on an older Debian.
packages=(llama.cpp-tools libllama0 libggml0 libc6 libgcc-s1 libstdc++6 libgomp1 libssl3t64 libzstd1 zlib1g)
(cd "$folder/packages" && apt-get "${options[@]}" download "${packages[@]}" >&2)
for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
folder_of() { dirname "$(find "$folder/root/usr/lib" -name "$1" | sort | head -n 1)"; }
loader=$(find "$folder/root/usr/lib" -name 'ld-linux-*.so.*' | head -n 1)
libraries="$(folder_of libc.so.6):$(folder_of 'libllama.so*'):$(folder_of libc.so.6)/llama:$(folder_of 'libggml-cpu-*.so')"
backend=$(find "$folder/root/usr/lib" -name 'libggml-cpu-*.so' | sort | grep -E 'haswell|armv8.0' | head -n 1)
cat >"$run.new" <<RUN
#!/bin/sh
export GGML_BACKEND_PATH="\${GGML_BACKEND_PATH:-$backend}"
exec "$loader" --library-path "$libraries" "$folder/root/usr/bin/llama-server" "\$@"
RUN
chmod +x "$run.new"
"$run.new" --version >&2
mv "$run.new" "$run"
echo "$run"
