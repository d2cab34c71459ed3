/** The questions of `gopi-web init`: a list to choose from, a text, yes or no, each skipped by Enter; and a line of progress. */
import type { WriteStream } from "node:tty";
import { wrapText } from "@/lib/text/wrap-text";
import { discardTyped, readLine } from "../read-line";

/** The user ended the input. */
export class SetupLeft extends Error {}

export interface SetupChoice<T> {
  readonly label: string;
  /** Chooses it too. */
  readonly name?: string;
  readonly value: T;
}

export class SetupTerminal {
  #hasProgress = false;

  constructor(
    private readonly output: WriteStream,
    private readonly hasCursor: boolean,
    private readonly signal: AbortSignal,
  ) {}

  /** Prints lines that fit the terminal. */
  say(text: string, indent = ""): void {
    this.progress(null);
    const lines = text.split("\n").flatMap((line) => wrapText(line, this.output.columns, indent));
    this.output.write(`${lines.join("\n")}\n`);
  }

  /** Replaces the line of progress; null = it ends. Without a cursor only ends of work are shown, by `say`. */
  progress(text: string | null): void {
    if (!this.hasCursor || (text === null && !this.#hasProgress)) return;
    this.#hasProgress = text !== null;
    const [line = ""] = wrapText(text ?? "", this.output.columns - 1);
    this.output.write(`\r\u001b[K${line}`);
  }

  /** Returns the chosen value; null = skipped. Rejects with SetupLeft or the signal's reason. */
  async choose<T>(choices: readonly SetupChoice<T>[]): Promise<T | null> {
    for (const [index, { label }] of choices.entries()) this.say(`${String(index + 1).padStart(3)}  ${label}`, "     ");
    for (;;) {
      const reply = await this.ask("Number, or Enter to skip: ");
      if (reply === "") return null;
      const chosen = choices.find(({ name }, index) => reply === `${index + 1}` || reply === name);
      if (chosen !== undefined) return chosen.value;
      this.say(`Enter a number from 1 to ${choices.length}.`);
    }
  }

  /** Whether the user says yes; Enter is no. Rejects as `choose`. */
  async confirm(question: string): Promise<boolean> {
    for (;;) {
      const reply = (await this.ask(`${question} [y/N] `)).toLowerCase();
      if (reply === "y" || reply === "yes") return true;
      if (reply === "" || reply === "n" || reply === "no") return false;
    }
  }

  /** Returns the line that is entered, "" = skipped. What was typed before the question does not count. Rejects as `choose`. */
  async ask(question: string): Promise<string> {
    this.progress(null);
    await discardTyped();
    this.output.write(wrapText(question, this.output.columns).join("\n") + (question.endsWith(" ") ? " " : ""));
    const line = await readLine(this.signal);
    if (line === null) throw new SetupLeft();
    return line.trim();
  }
}
