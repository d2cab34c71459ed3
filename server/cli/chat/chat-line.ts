/** Parses the input of `gopi-web chat`: a message, or a command after a slash. */

export const chatCommands = {
  new: { argument: "", effect: "start a new session; the old one stays in the list" },
  model: { argument: "NAME", effect: "select a model; ID/NAME is one of a connection" },
  mode: { argument: "MODE", effect: "select ask, edits, plan or full" },
  compact: { argument: "[TEXT]", effect: "summarize older messages, with a focus on what the text says" },
  title: { argument: "TEXT", effect: "set the title of the session" },
  exit: { argument: "", effect: "leave, as Ctrl+D" },
  help: { argument: "", effect: "list the commands" },
} as const;

export type ChatCommand = keyof typeof chatCommands;

const isChatCommand = (word: string): word is ChatCommand => Object.hasOwn(chatCommands, word);

export type ChatLine =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "command"; readonly name: ChatCommand; readonly argument: string }
  | { readonly kind: "unknown"; readonly word: string };

/** A path, as in `/etc/hosts`, and `/skill:NAME` begin a message. */
export function parseChatLine(text: string): ChatLine {
  const [, word, argument = ""] = /^\/([a-z]+)(?:\s+(.*))?$/is.exec(text.trim()) ?? [];
  if (word === undefined) return { kind: "message", text };
  return isChatCommand(word) ? { kind: "command", name: word, argument: argument.trim() } : { kind: "unknown", word };
}

const mention = /(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g;

const maxPaths = 200;
const pathMaxChars = 1_000;

/** The first paths after `@`, each also without the punctuation that follows it in a sentence. */
export function mentionedPaths(text: string): readonly string[] {
  const paths = [...text.matchAll(mention)].flatMap(([, quoted, word = ""]) =>
    quoted === undefined ? [word, word.replace(/[.,;:!?)\]，。；：！？）]+$/u, "")] : [quoted],
  );
  const usable = paths.filter((path) => path !== "" && path.length <= pathMaxChars);
  return [...new Set(usable)].slice(0, maxPaths);
}
