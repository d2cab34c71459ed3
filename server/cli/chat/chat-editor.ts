/** Reads messages from a terminal, with the line editor of Node. */
import { createInterface, type Interface } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import { abortable } from "@/server/base/abort";
import { type ChatHistory, historyMaxEntries } from "./chat-history";
import type { Completion } from "./complete-chat";

/** The user leaves: with 0 by Ctrl+D, with 130 by Ctrl+C. */
type ChatInput = { readonly text: string } | { readonly exitCode: 0 | 130 };

interface EditorOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly history: ChatHistory;
  readonly complete: (line: string) => Promise<Completion>;
  /** The terminal marks the begin and the end of a paste on request. */
  readonly marksPastes: boolean;
}

const promptText = "> ";
const continuedText = "… ";
const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

export class ChatEditor {
  /** Lines entered before they were requested. */
  #ahead: string[] = [];
  /** Input that was being entered when a read was aborted. */
  #draft: { readonly lines: readonly string[]; readonly line: string } = { lines: [], line: "" };

  constructor(private readonly options: EditorOptions) {}

  /**
   * Reads a message: several lines where one ends with a backslash, or in a paste. `isStopped`: the user has just pressed
   * Ctrl+C, the next one leaves. Rejects with the signal's reason; the next read continues with what was entered.
   */
  async read(isStopped: boolean, signal: AbortSignal): Promise<ChatInput> {
    signal.throwIfAborted();
    const message = new MessageLines(this.#draft.lines);
    while (this.#ahead.length > 0) {
      const text = message.add(this.#ahead.shift() ?? "");
      if (text !== null) return this.#enter(text);
    }
    const { input, output, history, complete, marksPastes } = this.options;
    const editor = createInterface({
      input,
      output,
      terminal: true,
      history: [...history.entries()],
      historySize: historyMaxEntries,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: Error | null, completion?: [string[], string]) => void) =>
        void complete(line).then(
          ([choices, end]) => done(null, [[...choices], end]),
          () => done(null, [[], line]),
        ),
    });
    const onKey = (_text: string | undefined, key: { name?: string }): void => message.key(key);
    // Before the editor's own listener.
    input.prependListener("keypress", onKey);
    if (marksPastes) output.write(pasteOn);
    try {
      const read = await abortable(this.#readLines(editor, message, isStopped), signal);
      return "text" in read ? this.#enter(read.text) : read;
    } finally {
      if (signal.aborted) this.#draft = { lines: message.lines, line: editor.line };
      if (marksPastes) output.write(pasteOff);
      input.off("keypress", onKey);
      editor.close();
    }
  }

  #enter(text: string): ChatInput {
    this.#draft = { lines: [], line: "" };
    if (text.trim() !== "") this.options.history.add(text);
    return { text };
  }

  #readLines(editor: Interface, message: MessageLines, isStopped: boolean): Promise<ChatInput> {
    const { output } = this.options;
    let isLeaving = isStopped;
    const show = (): void => {
      editor.setPrompt(message.isEmpty ? promptText : continuedText);
      editor.prompt(true);
    };
    return new Promise((resolve) => {
      let isEntered = false;
      const end = (input: ChatInput): void => {
        isEntered = true;
        // Lines that arrived together with this one are read first.
        setImmediate(() => resolve(input));
      };
      editor.on("line", (line) => {
        isLeaving = false;
        if (isEntered) return void this.#ahead.push(line);
        const text = message.add(line);
        if (text === null) show();
        else end({ text });
      });
      editor.on("SIGINT", () => {
        const hadText = editor.line !== "" || !message.isEmpty;
        if (!hadText && isLeaving) {
          output.write("\n");
          return end({ exitCode: 130 });
        }
        isLeaving = !hadText;
        message.clear();
        output.write(hadText ? "^C\n" : "\n(Ctrl+C again leaves)\n");
        editor.write(null, { ctrl: true, name: "e" });
        editor.write(null, { ctrl: true, name: "u" });
        show();
      });
      editor.on("close", () => {
        if (isEntered) return;
        output.write("\n");
        end({ exitCode: 0 });
      });
      show();
      if (this.#draft.line !== "") editor.write(this.#draft.line);
    });
  }
}

/** The lines of a message that is being entered. */
export class MessageLines {
  #lines: string[];
  #isPasting = false;

  constructor(lines: readonly string[] = []) {
    this.#lines = [...lines];
  }

  get lines(): readonly string[] {
    return this.#lines;
  }
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }
  clear(): void {
    this.#lines = [];
    this.#isPasting = false;
  }

  /** Reads a key: the begin or the end of a paste. In a paste a tab is text. */
  key(key: { name?: string }): void {
    if (key.name === "paste-start") this.#isPasting = true;
    if (key.name === "paste-end") this.#isPasting = false;
    if (this.#isPasting && key.name === "tab") key.name = "";
  }

  /** Adds a line. Returns the message that it completes, null = more lines follow. */
  add(line: string): string | null {
    const isContinued = !this.#isPasting && line.endsWith("\\");
    this.#lines.push(isContinued ? line.slice(0, -1) : line);
    if (isContinued || this.#isPasting) return null;
    // Node 24 joins the lines of an earlier message by carriage returns.
    const text = this.#lines.join("\n").replaceAll("\r", "\n").trimEnd();
    this.#lines = [];
    return text;
  }
}
