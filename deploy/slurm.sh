#!/bin/bash
# gopi-web in a job of Slurm: "sbatch slurm.sh FOLDER". Its output says how to reach it.
#SBATCH --job-name=gopi-web
#SBATCH --time=08:00:00
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --output=gopi-web-%j.log
# 60 seconds before the end gopi-web stores what it does and stops; the next job continues with its sessions.
#SBATCH --signal=B:TERM@60
set -eu

folder=$(realpath "${1:-$PWD}")
# Port of your own computer.
port=8080
# On a disk of this node, for this user alone.
place=$(mktemp -d "${TMPDIR:-/tmp}/gopi-web.XXXXXX")
trap 'rm -rf "$place"' EXIT

mkfifo "$place/ready"
gopi-web serve --port 0 --socket "$place/gopi.sock" --public-url "http://localhost:$port" >"$place/ready" &
server=$!
trap 'kill -TERM "$server"' TERM

# Its first line says that sessions can be opened.
exec 3<"$place/ready"
read -r line <&3
echo "$line"

cat <<END
On your computer, while this job runs:
  ssh -t -L $port:$place/gopi.sock $(id -un)@$(hostname -f) 'PATH=$(dirname "$(command -v node)"):\$PATH $(command -v gopi-web) --no-open ${GOPI_HOME:+--home "$GOPI_HOME" }"$folder"; exec bash'
It prints a link for your browser.
END

# A signal ends the first wait early.
wait "$server" || wait "$server"
