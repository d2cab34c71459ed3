/**
 * The plan of a session: the checklist that the model wrote last or the user changed since, with the ticks of the answers
 * after it. Lists are read from the text of messages, so that a plan needs no tool.
 */
import { joinTextBlocks } from "../events/content";
import { type Entry, type MessageEntry, pathEntries, type SessionView } from "./view";

export interface ChecklistItem {
  /** Markdown of the item in one line. */
  readonly text: string;
  readonly isDone: boolean;
  /** Levels of the list above it. */
  readonly depth: number;
}

export interface Plan {
  readonly items: readonly ChecklistItem[];
  /** Seq of the message that wrote or changed it last. */
  readonly seq: number;
}

const itemPattern = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+\[([ xX✓✔√])\][ \t]+(\S.*)$/u;
const fencePattern = /^[ \t]*(?:`{3,}|~{3,})[ \t]*(\S*)/;
/** Code blocks that models put a whole answer into. */
const proseLanguages: ReadonlySet<string> = new Set(["", "markdown", "md", "text", "plaintext"]);
/** Items beyond it are left out. */
const maxItems = 100;
/** Characters by which an item is recognized. */
const maxKeyChars = 300;

/**
 * Returns the last checklist of a text. Its items may be separated by blank lines and by indented continuation lines
 * only. Lists in code blocks of a language other than Markdown do not count.
 */
export function readChecklist(text: string): readonly ChecklistItem[] {
  let items: ChecklistItem[] = [];
  let indents: number[] = [];
  let hasEnded = false;
  let fence: "none" | "prose" | "code" = "none";
  for (const line of text.split("\n")) {
    const opened = fencePattern.exec(line);
    if (opened !== null) {
      const language = (opened[1] ?? "").toLowerCase();
      fence = fence !== "none" ? "none" : proseLanguages.has(language) ? "prose" : "code";
      hasEnded = items.length > 0;
      continue;
    }
    if (fence === "code") continue;
    const found = itemPattern.exec(line.trimEnd());
    if (found !== null) {
      if (hasEnded) [items, indents] = [[], []];
      hasEnded = false;
      const [, space = "", mark = " ", content = ""] = found;
      const indent = space.replaceAll("\t", "    ").length;
      indents = [...indents.filter((outer) => outer < indent), indent];
      if (items.length < maxItems) items.push({ text: content, isDone: mark !== " ", depth: indents.length - 1 });
    } else if (line.trim() !== "" && !/^\s/.test(line)) hasEnded = items.length > 0;
  }
  return items;
}

/** Formats items as a Markdown list. An item is at most one level below the one before it, whatever was removed there. */
export function formatChecklist(items: readonly ChecklistItem[]): string {
  let level = -1;
  return items
    .map(({ text, isDone, depth }) => {
      level = Math.min(depth, level + 1);
      return `${"  ".repeat(level)}- [${isDone ? "x" : " "}] ${text}`;
    })
    .join("\n");
}

/** Text of the message by which a user changes the plan. `lead` = its first line. */
export const formatPlanMessage = (lead: string, items: readonly ChecklistItem[]): string =>
  `${lead}\n\n${formatChecklist(items)}`;

/** Returns the items of a message written by `formatPlanMessage`; empty for any other text. */
export function readPlanMessage(text: string): readonly ChecklistItem[] {
  const [lead = ""] = text.split("\n", 1);
  const items = readChecklist(text);
  return items.length > 0 && text === formatPlanMessage(lead, items) ? items : [];
}

/** Text by which an item is recognized when it is written again: without case, emphasis and final punctuation. */
const itemKey = ({ text }: ChecklistItem): string =>
  text
    .slice(0, maxKeyChars)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[*_`~]/g, "")
    .replace(/[\s.:;,。：；，✅]+$/u, "")
    .replace(/\s+/g, " ");

const listsOfEntries = new WeakMap<MessageEntry, readonly ChecklistItem[]>();

/** The list of a message; of an open one, that of its whole lines. */
function listOf(entry: MessageEntry): readonly ChecklistItem[] {
  const read = listsOfEntries.get(entry);
  if (read !== undefined) return read;
  const text = joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const whole = entry.stop === undefined ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const list = entry.role === "user" ? readPlanMessage(text) : readChecklist(whole);
  listsOfEntries.set(entry, list);
  return list;
}

/** The items with the ticks of `list`; null if `list` has another item. */
function withTicks(items: readonly ChecklistItem[], list: readonly ChecklistItem[]): readonly ChecklistItem[] | null {
  const ticks = new Map(list.map((item) => [itemKey(item), item.isDone]));
  const keys = items.map(itemKey);
  if ([...ticks.keys()].some((key) => !keys.includes(key))) return null;
  return items.map((item, index) => ({ ...item, isDone: ticks.get(keys[index] ?? "") ?? item.isDone }));
}

function applyEntry(plan: Plan | null, entry: Entry): Plan | null {
  if (entry.kind !== "message" || entry.replaced === true) return plan;
  const isOpen = entry.stop === undefined;
  // Before its end, an answer can only tick items of the plan: a new list may be incomplete.
  if (isOpen && (plan === null || entry.role === "user")) return plan;
  const list = listOf(entry);
  if (list.length === 0) return plan;
  const { seq } = entry;
  // A model often repeats only the items that it has done since.
  const isPart = entry.role === "assistant" && plan !== null && (isOpen || list.length < plan.items.length);
  const ticked = isPart ? withTicks(plan.items, list) : null;
  if (ticked !== null) return { items: ticked, seq };
  return isOpen ? plan : { items: list, seq };
}

/**
 * Applies what a user changed to the plan as it is now: items that were not ticked or cleared by the user have the ticks
 * that the model gave them meanwhile.
 */
export const mergeTicks = (
  edited: readonly (ChecklistItem & { readonly isTickChanged: boolean })[],
  now: readonly ChecklistItem[],
): readonly ChecklistItem[] => {
  const ticks = new Map(now.map((item) => [itemKey(item), item.isDone]));
  return edited.map(({ isTickChanged, ...item }) =>
    isTickChanged ? item : { ...item, isDone: ticks.get(itemKey(item)) ?? item.isDone },
  );
};

/** Returns the plan at the end of the path; null = there is none. */
export const findPlan = (view: Pick<SessionView, "entries" | "segments" | "newest">): Plan | null =>
  pathEntries(view).reduce(applyEntry, null);

export interface PlanProgress {
  readonly done: number;
  readonly total: number;
}

export const countDone = ({ items }: Plan): PlanProgress => ({
  done: items.filter(({ isDone }) => isDone).length,
  total: items.length,
});
