/**
 * The operating system sandbox for shell commands (bubblewrap on Linux, Seatbelt on macOS): the project with its git
 * folder, a private temporary folder and the folders of the user's setting are writable, the rest is read-only, paths with secrets are
 * hidden, and there is no network unless allowed. A trial run on first use determines whether it works.
 */
import { realpathSync, statSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { thrownText } from "@/lib/events/error";
import type { SandboxState, SandboxUse } from "@/lib/permissions/guard";
import type { Mode } from "@/lib/permissions/policy";
import { isInFolder } from "@/server/base/is-in-folder";
import { runProcess } from "@/server/base/run-process";
import type { SandboxedCall } from "../workspace";
import { findInPath } from "./find-in-path";
import { findOutsideGitFolder } from "./outside-git-folder";
import { findSandboxRemedy } from "./sandbox-remedy";
import { bubblewrapCommand, seatbeltCommand } from "./sandbox-command";
import { neverAborted } from "@/server/base/abort";

/** Timeout of sandbox detection and of its trial run, ms. */
const sandboxTrialMs = 3_000;

/** Paths one command needs; absolute, real. */
interface SandboxPaths {
  readonly root: string;
  readonly cwd: string;
  /** The folder of its pipes; writable as well. */
  readonly pipes: string;
  /** The private temporary folder; default: an empty one for this command alone. */
  readonly temporary?: string;
}

export interface SandboxWrapper {
  /** Wraps an argument vector so that it runs inside the sandbox. */
  (words: readonly string[], place: SandboxPaths): readonly string[];
  readonly network: boolean;
}

export interface Sandbox {
  /** Runs the trial on the first call. Never rejects. */
  state(): Promise<SandboxState>;
  /** null = switched off or not working: the caller must have asked the user for approval. `call` absent = no session's. */
  fence(call?: SandboxedCall): Promise<SandboxWrapper | null>;
}

/** Whether the setting applies to commands of this mode; no mode = those that no session runs. */
export const isSandboxUsed = (use: SandboxUse, mode: Mode | undefined): boolean =>
  use === "always" || (use === "full_access" && mode === "full");

interface SandboxRights {
  readonly network: boolean;
  /** Folders that commands may write besides the project: absolute, or in the user's home (`~/.npm`). */
  readonly writable?: readonly string[];
}

interface SandboxOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The application's data folder: hidden from commands. */
  readonly home: string;
  /** The user's setting; null = no sandbox. */
  setting(call?: SandboxedCall): SandboxRights | null;
  readonly platform?: NodeJS.Platform;
}

export function makeSandbox(options: SandboxOptions): Sandbox {
  const { environment, platform = process.platform } = options;
  const program = platform === "linux" ? "bubblewrap" : platform === "darwin" ? "seatbelt" : null;
  const path = program === null ? null : findProgram(program, environment);
  const userHome = environment.HOME ?? "";
  let tried: Promise<SandboxState> | null = null;
  const fenceWith = ({ network, writable = [] }: SandboxRights): SandboxWrapper => {
    const wrap = (words: readonly string[], place: SandboxPaths): readonly string[] => {
      const hidden = findHiddenPaths(userHome, options.home);
      const git = findOutsideGitFolder(place.root, realFolder(userHome) ?? userHome);
      const folders = [...findWritableFolders(writable, userHome), ...git.writable];
      const fenced = { ...place, hidden, network, writable: folders, readOnly: git.readOnly, program: path ?? "" };
      return program === "seatbelt" ? seatbeltCommand(words, fenced) : bubblewrapCommand(words, fenced);
    };
    return Object.assign(wrap, { network });
  };
  const attempt = async (): Promise<SandboxState> => {
    const problem = path === null ? null : await runTrial(fenceWith({ network: false }), environment);
    if (path !== null && problem === null) return { program, works: true };
    const fix = program === "bubblewrap" ? findSandboxRemedy(path !== null, environment.PATH ?? "") : null;
    const reason = problem ?? (program === null ? "unknown_system" : "not_installed");
    return { program: path === null ? null : program, works: false, why: reason, ...(fix === null ? {} : { fix }) };
  };
  const state = (): Promise<SandboxState> => (tried ??= attempt());
  return {
    state,
    async fence(call) {
      const wanted = options.setting(call);
      return wanted !== null && (await state()).works ? fenceWith(wanted) : null;
    },
  };
}

/** Finds the program in the absolute folders of PATH: a relative one may belong to the project. */
const findProgram = (program: "bubblewrap" | "seatbelt", { PATH = "" }: NodeJS.ProcessEnv): string | null =>
  program === "seatbelt" ? findInPath("sandbox-exec", "/usr/bin") : findInPath("bwrap", PATH);

const trialExitCode = 37;

/** Runs a command in the sandbox that writes to a writable folder. Returns null if it works, otherwise the reason. */
async function runTrial(fence: SandboxWrapper, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "gopi-fence-")));
  try {
    const script = `: > "${place}/x" && exit ${trialExitCode}`;
    const [file = "", ...words] = fence(["bash", "--noprofile", "--norc", "-c", script], {
      root: place,
      cwd: place,
      pipes: place,
    });
    const trial = await runProcess(
      {
        program: file,
        arguments: words,
        cwd: place,
        environment: { PATH: environment.PATH, HOME: environment.HOME },
        timeoutMs: sandboxTrialMs,
      },
      neverAborted,
    );
    if (trial.ok && trial.value.exit === trialExitCode) return null;
    const reason = trial.ok ? trial.value.errorOutput.trim().split("\n")[0] : trial.error.detail;
    return (reason || "it did not run").slice(0, 300);
  } catch (error) {
    return thrownText(error);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Paths in the user's home with keys, credentials, browser profiles, and histories of agents and shells. */
const secretPaths = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".oci",
  ".gopi",
  ".gopi-web",
  ".password-store",
  ".config/gh",
  ".config/hub",
  ".config/gcloud",
  ".config/rclone",
  ".config/op",
  ".config/sops",
  ".config/doctl",
  ".config/git/credentials",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/opera",
  ".config/vivaldi",
  ".mozilla",
  ".thunderbird",
  ".var/app",
  "snap",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".pki",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".terraform.d",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  "Library/Keychains",
  "Library/Cookies",
  "Library/Safari",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Chromium",
  "Library/Application Support/Firefox",
  "Library/Application Support/BraveSoftware",
  "Library/Application Support/Microsoft Edge",
] as const;

/** Paths that allow an escape from the sandbox: sockets of daemons, the user's session bus. */
const escapePaths = [
  "/run/docker.sock",
  "/var/run/docker.sock",
  "/run/podman",
  "/run/containerd",
  "/run/user",
] as const;

/** Returns the hidden paths that exist, links resolved. */
function findHiddenPaths(userHome: string, ownHome: string): readonly string[] {
  const wanted = [
    ...(userHome.startsWith("/") ? secretPaths.map((name) => join(userHome, name)) : []),
    ownHome,
    ...escapePaths,
  ];
  const found = wanted.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(found)].filter((path) => path !== "/" && path !== userHome);
}

/**
 * Returns the writable folders that exist, links resolved. One that contains the user's home would open all of it, so it
 * is left out.
 */
function findWritableFolders(wanted: readonly string[], userHome: string): readonly string[] {
  const home = realFolder(userHome) ?? userHome;
  const found = wanted.flatMap((folder) => {
    const path = folder.startsWith("~/") ? join(userHome, folder.slice(2)) : folder;
    const real = isAbsolute(path) ? realFolder(path) : null;
    return real === null || real === "/" || isInFolder(home, real) ? [] : [real];
  });
  return [...new Set(found)];
}

/** The real path of a folder; null = it does not exist or is no folder. */
function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
