/**
 * Effects of well-known programs as data: by name and by subcommand. Programs not listed count as programs of the
 * project.
 */
import type { CommandEffect } from "@/lib/permissions/command-effect";

export interface ProgramEffects {
  readonly effects: readonly CommandEffect[];
  /** Operands that the program changes: all, the last one, or (absent) none that can be identified by position. */
  readonly changes?: "all" | "last";
  /** Options whose value is an output file or folder: `-o`, `--output`, `of=`. */
  readonly outputs?: readonly string[];
}

const makeEffects = (
  effects: readonly CommandEffect[],
  more: Omit<ProgramEffects, "effects"> = {},
): ProgramEffects => ({
  effects,
  ...more,
});
const forEachProgram = (names: string, program: ProgramEffects): Readonly<Record<string, ProgramEffects>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, program]));

const downloadOutputOptions = [
  "-o",
  "--output",
  "--out",
  "-O",
  "--output-document",
  "-P",
  "--directory-prefix",
  "--output-dir",
];

/** Programs whose effects do not depend on a subcommand. */
export const programTable: Readonly<Record<string, ProgramEffects>> = {
  ...forEachProgram("rm rmdir unlink shred trash trash-put srm", makeEffects(["deletes"], { changes: "all" })),
  ...forEachProgram(
    "cp ln install",
    makeEffects(["writes"], { changes: "last", outputs: ["-t", "--target-directory"] }),
  ),
  mv: makeEffects(["writes"], { changes: "all", outputs: ["-t", "--target-directory"] }),
  ...forEachProgram("touch mkdir mktemp mkfifo tee truncate fallocate", makeEffects(["writes"], { changes: "all" })),
  ...forEachProgram("chmod chown chgrp setfacl chattr", makeEffects(["permissions"], { changes: "all" })),
  dd: makeEffects(["writes"], { outputs: ["of="] }),
  ...forEachProgram(
    "tar bsdtar unzip gunzip gzip xz bzip2 zstd 7z zip unrar cpio patch split csplit sponge",
    makeEffects(["writes"], { outputs: ["-C", "-d", "-o", "--directory", "-f", "--output"] }),
  ),
  ...forEachProgram("curl wget http https xh aria2c", makeEffects(["network"], { outputs: downloadOutputOptions })),
  ...forEachProgram(
    "ssh sftp ftp telnet nc ncat netcat socat ping dig nslookup host whois traceroute mosh",
    makeEffects(["network"]),
  ),
  ...forEachProgram("scp rsync", makeEffects(["network", "writes"], { changes: "last" })),
  ...forEachProgram("kill pkill killall xkill", makeEffects(["stops"])),
  ...forEachProgram(
    "shutdown reboot halt poweroff systemctl service launchctl crontab at mount umount mkfs fdisk parted useradd userdel usermod groupadd passwd visudo iptables nft ufw sysctl modprobe insmod rmmod chsh hostnamectl timedatectl update-alternatives swapon swapoff setenforce defaults diskutil",
    makeEffects(["system"]),
  ),
  ...forEachProgram("sudo doas pkexec su runuser", makeEffects(["elevates"])),
  ...forEachProgram(
    "apt apt-get dnf yum pacman apk zypper brew snap flatpak port emerge dpkg rpm",
    makeEffects(["installs", "network", "system"]),
  ),
  ...forEachProgram("twine", makeEffects(["publishes", "network"])),
  ...forEachProgram("vercel netlify heroku fly flyctl firebase wrangler surge", makeEffects(["publishes", "network"])),
  ...forEachProgram("aws gcloud az doctl", makeEffects(["network"])),
  ...forEachProgram(
    "prettier biome eslint black ruff gofmt rustfmt isort autopep8 clang-format stylelint",
    makeEffects(["runs"], { changes: "all" }),
  ),
  ...forEachProgram(
    "cd pushd popd pwd true false : sleep wait exit return break continue local export declare readonly typeset unset set test [ [[ echo printf type which whoami id date uname hostname uptime ps df free env printenv tput clear",
    makeEffects(["reads"]),
  ),
};

/** Effects by subcommand: an entry of two words decides before one of a single word; "" = every other subcommand. */
export const subcommandTable: Readonly<Record<string, Readonly<Record<string, readonly CommandEffect[]>>>> = {
  git: {
    ...Object.fromEntries(
      "status log diff show blame grep ls-files ls-tree cat-file rev-parse rev-list describe shortlog reflog name-rev merge-base count-objects check-ignore var version help whatchanged for-each-ref symbolic-ref"
        .split(" ")
        .map((name) => [name, ["reads"] as const]),
    ),
    ...Object.fromEntries(
      "add commit merge rebase cherry-pick revert tag branch switch init am apply mv stash notes worktree bisect config update-ref gc repack prune fsck submodule"
        .split(" ")
        .map((name) => [name, ["repository"] as const]),
    ),
    checkout: ["repository"],
    restore: ["discards"],
    rm: ["deletes", "repository"],
    clean: ["deletes"],
    reset: ["repository"],
    "reset --hard": ["discards"],
    "stash drop": ["discards"],
    "stash clear": ["discards"],
    "stash list": ["reads"],
    "stash show": ["reads"],
    "branch -D": ["discards"],
    "branch -d": ["deletes"],
    "branch --delete": ["deletes"],
    "branch --list": ["reads"],
    "branch -a": ["reads"],
    "branch -v": ["reads"],
    "tag -d": ["deletes"],
    "tag -l": ["reads"],
    "remote -v": ["reads"],
    remote: ["repository"],
    push: ["pushes", "network"],
    ...Object.fromEntries(
      "fetch pull clone ls-remote".split(" ").map((name) => [name, ["network", "repository"] as const]),
    ),
    "filter-branch": ["discards"],
    "filter-repo": ["discards"],
    "": ["runs"],
  },
  npm: {
    ...Object.fromEntries(
      "install i ci add update upgrade up link rebuild dedupe audit"
        .split(" ")
        .map((name) => [name, ["installs", "network", "runs"] as const]),
    ),
    ...Object.fromEntries("uninstall remove rm un prune".split(" ").map((name) => [name, ["deletes"] as const])),
    ...Object.fromEntries(
      "publish unpublish deprecate dist-tag access owner"
        .split(" ")
        .map((name) => [name, ["publishes", "network"] as const]),
    ),
    ...Object.fromEntries(
      "view info show outdated search ping whoami login logout".split(" ").map((name) => [name, ["network"] as const]),
    ),
    ...Object.fromEntries(
      "ls list why root prefix bin version help -v --version".split(" ").map((name) => [name, ["reads"] as const]),
    ),
    exec: ["network", "runs"],
    x: ["network", "runs"],
    dlx: ["network", "runs"],
    create: ["network", "runs", "writes"],
    init: ["network", "runs", "writes"],
    "": ["runs"],
  },
  pip: {
    install: ["installs", "network"],
    download: ["network", "writes"],
    uninstall: ["deletes"],
    list: ["reads"],
    show: ["reads"],
    freeze: ["reads"],
    check: ["reads"],
    "": ["runs"],
  },
  uv: {
    add: ["installs", "network"],
    sync: ["installs", "network"],
    lock: ["network", "writes"],
    "pip install": ["installs", "network"],
    "pip uninstall": ["deletes"],
    "tool install": ["installs", "network"],
    remove: ["deletes"],
    publish: ["publishes", "network"],
    "": ["runs"],
  },
  poetry: {
    add: ["installs", "network"],
    install: ["installs", "network"],
    update: ["installs", "network"],
    remove: ["deletes"],
    publish: ["publishes", "network"],
    show: ["reads"],
    "": ["runs"],
  },
  cargo: {
    install: ["installs", "network", "runs"],
    add: ["network", "writes"],
    update: ["network", "writes"],
    fetch: ["network"],
    publish: ["publishes", "network"],
    yank: ["publishes", "network"],
    clean: ["deletes"],
    remove: ["writes"],
    new: ["writes"],
    init: ["writes"],
    fmt: ["writes"],
    tree: ["reads"],
    "": ["runs"],
  },
  go: {
    get: ["installs", "network"],
    install: ["installs", "network"],
    mod: ["network", "writes"],
    clean: ["deletes"],
    fmt: ["writes"],
    version: ["reads"],
    env: ["reads"],
    list: ["reads"],
    doc: ["reads"],
    "": ["runs"],
  },
  gem: {
    install: ["installs", "network"],
    push: ["publishes", "network"],
    uninstall: ["deletes"],
    list: ["reads"],
    "": ["runs"],
  },
  bundle: {
    install: ["installs", "network"],
    update: ["installs", "network"],
    add: ["installs", "network"],
    "": ["runs"],
  },
  composer: {
    install: ["installs", "network"],
    require: ["installs", "network"],
    update: ["installs", "network"],
    "": ["runs"],
  },
  docker: {
    push: ["publishes", "network"],
    pull: ["network"],
    login: ["network"],
    ...Object.fromEntries("rm rmi".split(" ").map((name) => [name, ["deletes"] as const])),
    ...Object.fromEntries(
      "system volume image container network builder".split(" ").map((name) => [`${name} prune`, ["deletes"] as const]),
    ),
    "volume rm": ["deletes"],
    "image rm": ["deletes"],
    "compose down": ["stops", "deletes"],
    "compose pull": ["network"],
    "compose ps": ["reads"],
    "compose logs": ["reads"],
    ...Object.fromEntries("stop kill restart pause".split(" ").map((name) => [name, ["stops"] as const])),
    ...Object.fromEntries(
      "ps images logs inspect version info top stats".split(" ").map((name) => [name, ["reads"] as const]),
    ),
    build: ["network", "runs"],
    "": ["runs"],
  },
  kubectl: {
    ...Object.fromEntries(
      "get describe logs top explain version config".split(" ").map((name) => [name, ["network"] as const]),
    ),
    delete: ["deletes", "network"],
    drain: ["stops", "network"],
    exec: ["runs", "network"],
    "": ["publishes", "network"],
  },
  helm: { list: ["network"], template: ["runs"], uninstall: ["deletes", "network"], "": ["publishes", "network"] },
  terraform: {
    plan: ["network", "runs"],
    validate: ["runs"],
    fmt: ["writes"],
    destroy: ["deletes", "network"],
    apply: ["publishes", "network"],
    "": ["network", "runs"],
  },
  gh: {
    ...Object.fromEntries(
      [
        "pr create",
        "pr merge",
        "pr close",
        "pr comment",
        "pr edit",
        "pr review",
        "issue create",
        "issue close",
        "issue comment",
        "release create",
        "repo create",
        "repo edit",
        "workflow run",
        "gist create",
        "secret set",
      ].map((name) => [name, ["publishes", "network"] as const]),
    ),
    "repo delete": ["deletes", "network"],
    "release delete": ["deletes", "network"],
    api: ["network", "publishes"],
    "": ["network"],
  },
  make: { clean: ["deletes", "runs"], distclean: ["deletes", "runs"], install: ["installs", "runs"], "": ["runs"] },
  systemctl: { status: ["reads"], "list-units": ["reads"], "is-active": ["reads"], show: ["reads"], "": ["system"] },
  crontab: { "-l": ["reads"], "": ["system"] },
  apt: {
    list: ["reads"],
    show: ["reads"],
    search: ["reads"],
    remove: ["deletes", "system"],
    purge: ["deletes", "system"],
    "": ["installs", "network", "system"],
  },
  "apt-get": { remove: ["deletes", "system"], purge: ["deletes", "system"], "": ["installs", "network", "system"] },
  brew: { list: ["reads"], info: ["network"], uninstall: ["deletes", "system"], "": ["installs", "network", "system"] },
};

/** Aliases of the programs above. */
export const programAliases: Readonly<Record<string, string>> = {
  pnpm: "npm",
  yarn: "npm",
  bun: "npm",
  pip3: "pip",
  pipx: "pip",
  podman: "docker",
  nerdctl: "docker",
  "docker-compose": "docker",
  gmake: "make",
  gsed: "sed",
  gtar: "tar",
  tofu: "terraform",
};

/** Package runners: they download a package that is not installed, then run it. */
export const fetchingRunners: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "uvx"]);
