/** Programs whose words, or whose standard input, are certainly data, as closed lists. */
import { optionlessScript, runsInlineCode } from "./interpreters";
import { programAliases, programTable, subcommandTable } from "./effect-table";
import { readerTable } from "./reader-table";
import type { Word } from "../shell/shell-words";
import { isShell, programName, runnerCommand } from "../shell/wrapped-commands";
import { runners } from "../shell/wrapper-table";

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((name) => name !== ""));

/** Programs that only filter, show, store or send their input. */
const filters = names(`
  tee cat sponge less more bat batcat delta pbcopy xclip xsel wl-copy clip fmt pr expand unexpand iconv base32 base64 basenc
  xxd gzip gunzip zcat bzip2 bunzip2 xz unxz zstd unzstd lz4 tar cpio pax zip openssl gpg sha224sum sha384sum b2sum sum shasum md5
  patch jq yq xmllint tidy html2text pandoc column ts pv dos2unix unix2dos shuf tsort look numfmt csvcut csvlook mlr dot
  read mapfile readarray git gh glab hub curl wget http nc ssh-keygen diff3 sdiff colordiff ydiff difft dwdiff wdiff vimdiff
  wc ack ag pcregrep rga fzf sk pick dd cksum logger wall mail sendmail msmtp notify-send systemd-cat lolcat cowsay figlet
  prettier eslint biome black ruff isort gofmt goimports rustfmt clang-format shellcheck shfmt hadolint yamllint jsonlint stylelint
  kubectl helm docker podman nerdctl terraform psql-data pgcli-data npm pnpm yarn bun npx cargo go make pytest jest vitest tsc
  xargs test [ true false : echo printf cd pwd mkdir touch cp mv ln chmod ls stat sleep kill date bc-data grep egrep fgrep rg sed awk gawk mawk
  ollama llm aws gcloud az heroku fly vercel wrangler
`);

/** Programs whose operands are files, texts, names or verbs, never a program to start. */
const dataPrograms = names(`
  git gcc g++ cc c++ clang clang++ rustc javac java kotlinc scalac ghc ld as ar nm objdump strip
  mvn mvnw gradle gradlew sbt ant bazel cmake ctest ninja meson make gmake just task rake
  pytest jest vitest mocha tsc tsx ts-node webpack vite rollup esbuild next nuxt turbo nx lerna playwright cypress
  php composer rails bundle gem mix elixir dotnet flutter dart swift zig deno
  man help info apropos whatis tldr cheat yq bat fzf code cursor idea open xdg-open say notify-send logger
  gpg openssl ffmpeg ffprobe convert magick pandoc dot redis-cli mongosh sqlite3 psql mysql pg_dump pg_restore mysqldump
  gsutil rclone s3cmd mc pm2 supabase railway vagrant multipass lxc ansible-playbook pulumi
  command type which cd read mapfile readarray compgen alias unalias unset export declare local typeset readonly let shift set wait kill return exit
  gs pdftotext exiftool svn hg bzr jj fossil tig lazygit sd fd fdfind ag ack sponge xmllint shellcheck
`);

/** Folders of the system's programs; a program elsewhere, named by a path, is one of the project. */
const systemFolders = /^\/(?:usr|bin|sbin|lib\w*|opt|proc|dev|etc|nix|snap|System|Library)\//;

const isProjectProgram = ({ text, literal }: Word): boolean =>
  literal && text.includes("/") && !systemFolders.test(text);

/**
 * Returns whether these words leave their standard input unread or take it as data. `direct`: the input is for this
 * command alone, not for a loop or function around it.
 */
export function takesTextAsData(words: readonly Word[], direct: boolean): boolean {
  const started = runnerCommand(words);
  const [first, ...rest] = started ?? words;
  if (first === undefined || !first.literal) return false;
  const name = programName(first);
  // The script of a shell is a part of its own, or was found to be unreadable.
  if (isShell(name)) return true;
  if (isProjectProgram(first)) return true;
  if (
    buildTools.test(name) &&
    rest.some(({ text }) => /^(?:-|-[a-zA-Z]*f-|\/(?:dev|proc)\/.*)$|=(?:-|\/dev\/.*)$/.test(text))
  )
    return false;
  const scripted = optionlessScript(name, rest);
  if (scripted !== null) return scripted && !runsInlineCode([first, ...rest]);
  if (Object.hasOwn(readerTable, name) || filters.has(name)) return true;
  // A runner starts programs of packages.
  return (!direct || started !== null) && (takesWordsAsData(words) || !inputScripts.has(name));
}

/** Programs that may read what they run from their standard input when an option says so: `make -f -`. */
const buildTools = /^(?:g?make|gnumake|just|task|rake|ninja|ant|cmake)$/;

/** Programs that run a script on their standard input, for commands that only inherit it. */
const inputScripts = names(`
  ed ex red vi vim nvim emacs sqlite3 sqlite litecli psql mysql mariadb m4 parallel at batch gdb lldb ftp sftp lftp telnet gnuplot
  octave maxima gp sage r rlwrap expect bc dc socat ncat screen tmux cscope crontab debugfs fdisk parted nft iptables-restore
`);

/** Returns whether no word of this command can be a program that it starts. */
export function takesWordsAsData(words: readonly Word[]): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  const name = programName(first);
  if (isProjectProgram(first) || Object.hasOwn(readerTable, name) || dataPrograms.has(name)) return true;
  const listed = programAliases[name] ?? name;
  if (Object.hasOwn(programTable, listed) || Object.hasOwn(subcommandTable, listed)) return true;
  return Object.hasOwn(runners, name) || isShell(name) || optionlessScript(name, rest) !== null;
}
