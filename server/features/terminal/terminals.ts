/** The terminals of all projects: shells that run until they exit, are closed, or the server stops. */
import { existsSync } from "node:fs";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId, TerminalId } from "@/lib/events/id";
import {
  type TerminalExit,
  type TerminalInfo,
  type TerminalOutput,
  cutToNewest,
  terminalRingChars,
} from "@/lib/terminal/terminal";
import { randomId } from "@/server/base/id";
import { openPty, type Pty } from "./pty";
import { findLineShell, findUserShell, type ShellChoice, terminalEnvironment } from "./user-shell";

/** Shorter pieces are joined with the next one, characters. */
const pieceChars = 4_096;

interface OutputRing {
  /** Returns the piece with its position in all output. */
  append(text: string): TerminalOutput;
  /** At most `terminalRingChars`, beginning with a line where possible. */
  retained(): TerminalOutput;
  /** Discards everything, and leaves a gap in the positions: what follows does not continue what was before. */
  reset(): void;
}

/** The newest output of a terminal, in bounded memory. */
function makeOutputRing(): OutputRing {
  let pieces: string[] = [];
  let chars = 0;
  let end = 0;
  return {
    append(text) {
      const from = end;
      end += text.length;
      chars += text.length;
      const last = pieces.at(-1);
      if (last !== undefined && last.length < pieceChars) pieces[pieces.length - 1] = last + text;
      else pieces.push(text);
      while (chars - (pieces[0]?.length ?? 0) >= terminalRingChars) chars -= pieces.shift()?.length ?? 0;
      return { from, text };
    },
    retained: () => cutToNewest({ from: end - chars, text: pieces.join("") }, terminalRingChars),
    reset() {
      pieces = [];
      chars = 0;
      end += 1;
    },
  };
}

const escape = "\u001b";

/** Ends an unfinished control sequence or string. */
const endOfSequence = `\u0018${escape}\\`;
/** Alternate screen, mouse, focus reports and bracketed paste, which a soft reset leaves on. */
const modesOff = `${escape}[?47;9;1000;1002;1003;1004;1005;1006;1015;2004l`;
/** Cursor, margins, attributes, character sets, keypad and cursor keys. */
const softReset = `${escape}[!p${escape}>${escape}[?1l${escape}(B\u000f${escape}[?7h${escape}[?25h`;

/**
 * Sequence that undoes the modes of a terminal, returns the screen to the state of a new terminal and begins a line; the
 * text stays.
 */
export const resetSequence = `${endOfSequence}${modesOff}${softReset}${escape}[0m\r\n`;

export const maxTerminals = 50;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A line that the shell runs in place of reading lines, and the name of its terminal. */
interface TerminalRun {
  readonly name: string;
  readonly line: string;
}

interface TerminalsOptions {
  readonly environment: NodeJS.Dict<string>;
  /** Read when a shell is started. */
  shell(): ShellChoice;
  /** The terminals of a project, their names or their states have changed. */
  listChanged(projectId: ProjectId, terminals: readonly TerminalInfo[]): void;
  output(id: TerminalId, output: TerminalOutput): void;
}

export interface Terminals {
  /** In the order in which they were opened. */
  list(projectId: ProjectId): readonly TerminalInfo[];
  /**
   * `cwd` = absolute folder. A terminal with `run` is removed when the line succeeds. Fails with terminal_unavailable, bad_shell, gone or
   * too_many.
   */
  open(projectId: ProjectId, cwd: string, size: Size, run?: TerminalRun): Promise<Result<TerminalInfo>>;
  write(id: TerminalId, text: string): Result<null>;
  resize(id: TerminalId, size: Size): Result<null>;
  /** Undoes the modes that programs have set on the screens; the text stays. */
  reset(id: TerminalId): Result<null>;
  rename(id: TerminalId, name: string): Result<null>;
  /** Starts the shell again in a terminal whose shell has exited; its old output is discarded. */
  restart(id: TerminalId): Promise<Result<null>>;
  /** Ends the shell and everything it started, and removes the terminal. */
  close(id: TerminalId): Promise<Result<null>>;
  /** Newest output; null = no such terminal. */
  retained(id: TerminalId): TerminalOutput | null;
  /** While it is paused, its programs wait when they write. */
  setPaused(id: TerminalId, isPaused: boolean): void;
  isAnyRunning(): boolean;
  /** Whether a shell runs a command in the foreground. */
  isAnyWorking(): boolean;
  closeAll(): Promise<void>;
}

interface Terminal {
  readonly cwd: string;
  readonly run: TerminalRun | undefined;
  info: TerminalInfo;
  size: Size;
  readonly ring: OutputRing;
  /** null = its shell has exited, or is being started. */
  pty: Pty | null;
}

function setOutputPaused(pty: Pty | null | undefined, isPaused: boolean): void {
  if (isPaused) pty?.pause();
  else pty?.resume();
}

export function makeTerminals(options: TerminalsOptions): Terminals {
  const terminals = new Map<TerminalId, Terminal>();
  const list = (projectId: ProjectId): readonly TerminalInfo[] =>
    [...terminals.values()].filter(({ info }) => info.projectId === projectId).map(({ info }) => info);
  const update = (terminal: Terminal, change: Partial<TerminalInfo>): void => {
    terminal.info = { ...terminal.info, ...change };
    options.listChanged(terminal.info.projectId, list(terminal.info.projectId));
  };
  const change = (id: TerminalId, apply: (terminal: Terminal) => void): Result<null> => {
    const terminal = terminals.get(id);
    if (terminal === undefined) return fail("not_found");
    apply(terminal);
    return ok(null);
  };
  const isOpen = (id: TerminalId): boolean => terminals.has(id);
  const start = (terminal: Terminal): Promise<Result<null>> =>
    startShell(terminal, options, isOpen, (exit) => {
      if (terminal.run !== undefined && exit.code === 0) terminals.delete(terminal.info.id);
      update(terminal, { exit });
    });
  return {
    list,
    async open(projectId, cwd, size, run) {
      if (terminals.size >= maxTerminals) return fail("too_many", `${maxTerminals} terminals`);
      const name = run?.name ?? findUserShell(options.environment, options.shell())?.name ?? "";
      const info: TerminalInfo = { id: randomId<TerminalId>("t"), projectId, name, exit: null };
      const terminal: Terminal = { cwd, run, info, size, ring: makeOutputRing(), pty: null };
      terminals.set(info.id, terminal);
      const started = await start(terminal);
      if (!started.ok) {
        terminals.delete(info.id);
        return started;
      }
      update(terminal, {});
      return ok(terminal.info);
    },
    write(id, text) {
      const terminal = terminals.get(id);
      if (!terminal?.pty) return fail(terminal === undefined ? "not_found" : "gone");
      return terminal.pty.write(text) ? ok(null) : fail("too_large");
    },
    resize(id, size) {
      return change(id, (terminal) => {
        terminal.size = size;
        terminal.pty?.resize(size.columns, size.rows);
      });
    },
    // As output, so that each screen gets it.
    reset: (id) => change(id, ({ ring }) => options.output(id, ring.append(resetSequence))),
    rename: (id, name) => change(id, (terminal) => update(terminal, { name })),
    async restart(id) {
      const terminal = terminals.get(id);
      if (terminal === undefined) return fail("not_found");
      if (terminal.info.exit === null) return fail("busy");
      const { exit } = terminal.info;
      terminal.ring.reset();
      update(terminal, { exit: null });
      const started = await start(terminal);
      if (!started.ok) update(terminal, { exit });
      return started;
    },
    async close(id) {
      const terminal = terminals.get(id);
      if (terminal === undefined) return fail("not_found");
      terminals.delete(id);
      update(terminal, {});
      await terminal.pty?.close();
      return ok(null);
    },
    retained: (id) => terminals.get(id)?.ring.retained() ?? null,
    setPaused: (id, isPaused) => setOutputPaused(terminals.get(id)?.pty, isPaused),
    isAnyRunning: () => [...terminals.values()].some(({ info }) => info.exit === null),
    isAnyWorking: () => [...terminals.values()].some(({ pty }) => pty?.hasForegroundCommand() === true),
    async closeAll() {
      const open = [...terminals.values()];
      terminals.clear();
      await Promise.all(open.map(({ pty }) => pty?.close()));
    },
  };
}

/** Starts the user's shell in a terminal; `onExit` is called when it exits, unless the terminal was closed before. */
async function startShell(
  terminal: Terminal,
  options: Pick<TerminalsOptions, "environment" | "output" | "shell">,
  isOpen: (id: TerminalId) => boolean,
  onExit: (exit: TerminalExit) => void,
): Promise<Result<null>> {
  const shell =
    terminal.run === undefined
      ? findUserShell(options.environment, options.shell())
      : findLineShell(options.environment, options.shell(), terminal.run.line);
  if (shell === null) return fail("bad_shell", options.shell().program);
  if (!existsSync(terminal.cwd)) return fail("gone");
  const { id } = terminal.info;
  const pty = await openPty({
    ...shell,
    ...terminal.size,
    cwd: terminal.cwd,
    environment: terminalEnvironment(options.environment),
    onOutput: (text) => options.output(id, terminal.ring.append(text)),
    onExit(exit) {
      terminal.pty = null;
      if (isOpen(id)) onExit(exit);
    },
  });
  if (!pty.ok) return pty;
  terminal.pty = pty.value;
  // It was closed while the shell was started.
  if (!isOpen(id)) await pty.value.close();
  return ok(null);
}
