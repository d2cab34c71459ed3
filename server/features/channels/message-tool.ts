/** The tool `message`: a model writes to a paired person, or to the owner's open pages. */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { ChannelKind } from "@/lib/channels/channels";
import { messageToolName, webChannel } from "@/lib/channels/message-tool";
import type { Json } from "@/lib/events/content";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { computeHash } from "@/server/base/id";
import { catalogueToolDescription } from "@/server/prompts/prompts";
import { type Tool, ToolError, type ToolDependencies } from "@/server/tools/core/tool";
import { unwrapOrThrow } from "@/server/tools/core/to-tool-error";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import type { SentFile } from "./channel";
import type { Delivery } from "./running-channel";

/** Messages of one run, and the least time between two of a session, ms. */
const runMax = 20;
const minIntervalMs = 60_000;
const textMaxChars = 8_000;
const fileMaxBytes = 50_000_000;

/** A person who can be written to. */
interface MessageTarget {
  readonly channel: ChannelKind;
  readonly personId: string;
  readonly name: string;
  /** The session of his chat. */
  readonly sessionId: SessionId | null;
}

export interface Messenger {
  targets(): readonly MessageTarget[];
  /** Stores a message and waits a moment for its delivery. */
  send(target: MessageTarget, text: string, file: SentFile | undefined, signal: AbortSignal): Promise<Delivery>;
  /** Shows a text on the owner's pages. */
  show(sessionId: SessionId, text: string): void;
  /** null = there is no such session. */
  view(id: SessionId): SessionView | null;
  /** ms epoch */
  now(): number;
}

const parameters: Json = {
  type: "object",
  properties: {
    channel: {
      type: "string",
      description: "telegram, or telegram:NAME for one of several people; web = on this screen",
    },
    text: { type: "string" },
    file: { type: "string", description: "a file of the project" },
  },
  required: ["channel", "text"],
};
const inputSchema = z.object({ channel: z.string(), text: z.string(), file: z.optional(z.string()) });
type MessageInput = z.infer<typeof inputSchema>;

const readInput = (input: Json): MessageInput => {
  const { channel, text, file = "" } = inputSchema.parse(input);
  return { channel: channel.trim(), text: text.trim(), ...(file.trim() === "" ? {} : { file: file.trim() }) };
};

/** Its tools are offered while somebody can be written to. */
export function makeMessageSource(messenger: Messenger): CatalogueSource {
  const tool = makeMessageTool(messenger);
  const offered: readonly CatalogueTool[] = [
    {
      name: messageToolName,
      source: ownSourceIds.channels,
      description: catalogueToolDescription(messageToolName),
      parameters,
      obstacle: null,
      isPinned: false,
      tool,
    },
  ];
  const none: readonly CatalogueTool[] = [];
  return {
    id: ownSourceIds.channels,
    instructions: "",
    tools: () => (messenger.targets().length === 0 ? none : offered),
  };
}

function makeMessageTool(messenger: Messenger): Tool {
  /** Time of each session's last message, ms epoch. */
  const last = new Map<SessionId, number>();
  return {
    name: messageToolName,
    kind: "other",
    description: () => firstSentence(catalogueToolDescription(messageToolName), serverLimits.nativeDescriptionChars),
    parameters,
    limits: () => ({ bytes: serverLimits.readBytes, keep: "both" }),
    parse(input) {
      const parsed = parseExternalArguments({ name: messageToolName, parameters }, input);
      if (!parsed.ok) return parsed;
      const problem = findProblem(readInput(parsed.input));
      return problem === null ? parsed : { ok: false, messageForModel: problem };
    },
    target: (input) => readInput(input).channel,
    access(input, sessionId) {
      const { channel, text, file } = readInput(input);
      const target = findTarget(messenger, channel, sessionId);
      const receiver = target === null ? null : receiverOf(target);
      return [
        ...(file === undefined ? [] : [{ kind: "read" as const, target: file }]),
        { kind: "message", channel, receiver, sent: text, hasFile: file !== undefined },
      ];
    },
    locks: () => ({ paths: [], shell: false }),
    create: ({ files }: Pick<ToolDependencies, "files">) => ({
      async preview(input, call) {
        checkTurn(messenger, last, call.id.sessionId);
        const written = readInput(input);
        const target = requireTarget(messenger, written, call.id.sessionId);
        const shown = target === null ? written : { ...written, channel: `${target.channel}:${target.name}` };
        const source = ownSourceIds.channels;
        return {
          preview: { kind: "external", source, tool: messageToolName, input: { ...shown }, description: "" },
          ...(target === null ? {} : { seen: { hash: receiverOf(target) } }),
        };
      },
      async run(input, call, signal, seen) {
        const written = readInput(input);
        const { text, file } = written;
        const { sessionId } = call.id;
        checkTurn(messenger, last, sessionId);
        const target = requireTarget(messenger, written, sessionId);
        if (target !== null && receiverOf(target) !== seen?.hash)
          throw new ToolError("changed_meanwhile", `${written.channel} is another person now. Name the one you mean.`);
        for (const [id, at] of last) if (at + minIntervalMs <= messenger.now()) last.delete(id);
        last.set(sessionId, messenger.now());
        if (target === null) {
          messenger.show(sessionId, text);
          return toOutput("Shown on the user's screen.");
        }
        const path = file === undefined ? undefined : call.path(file, "read");
        const sent =
          path === undefined
            ? undefined
            : {
                name: posix.basename(path.shown),
                bytes: unwrapOrThrow(await files.readBytes(path, fileMaxBytes), path.shown),
              };
        const delivery = await messenger.send(target, text, sent, signal);
        if (delivery === "refused")
          throw new ToolError("tool_failed", `${target.name} can't be written to now. Tell the user in your answer.`);
        return toOutput(
          delivery === "delivered"
            ? `Delivered to ${target.name}.`
            : `Stored for ${target.name}; it is sent as soon as ${target.channel} can be reached.`,
          { receiver: receiverOf(target) },
        );
      },
    }),
  };
}

const toOutput = (text: string, facts: CallFacts = {}) => ({ output: [{ type: "text" as const, text }], facts });

/** See `CallFacts.receiver`. */
const receiverOf = ({ channel, personId }: MessageTarget) => computeHash(`${channel} ${personId}`);

function findProblem({ channel, text, file }: MessageInput): string | null {
  const example = `Call it like this: ${messageToolName} {"channel":"telegram","text":"The tests pass."}`;
  if (text === "") return `text must not be empty. ${example}`;
  if (text.length > textMaxChars)
    return `text has more than ${textMaxChars} characters. Send a shorter one, or a file.`;
  if (channel === "") return `channel must not be empty. ${example}`;
  return channel === webChannel && file !== undefined ? "A file can't be sent to web. Leave it out." : null;
}

/** Throws ToolError when the session must not write now. */
function checkTurn({ view, now }: Messenger, last: ReadonlyMap<SessionId, number>, id: SessionId): void {
  const waitMs = (last.get(id) ?? Number.NEGATIVE_INFINITY) + minIntervalMs - now();
  if (waitMs > 0)
    throw new ToolError(
      "tool_failed",
      `A session sends one message a minute. Wait ${Math.ceil(waitMs / 1_000)} s, or say everything in one message.`,
    );
  const session = view(id);
  if (session !== null && countInRun(session) >= runMax)
    throw new ToolError("tool_failed", `A run sends at most ${runMax} messages. Say the rest in your answer.`);
}

function countInRun(view: SessionView): number {
  let count = 0;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start" || entry.kind === "run_end") break;
    if (entry.kind === "message")
      count += entry.calls.filter(({ name, state }) => name === messageToolName && state === "ok").length;
  }
  return count;
}

/** The person that is named, else the one whose chat the session is, else the only one; null = none, or more than one. */
function findTarget(
  { targets }: Pick<Messenger, "targets">,
  written: string,
  id: SessionId | undefined,
): MessageTarget | null {
  const [channel = "", name = ""] = written.split(/:(.*)/s);
  const there = targets().filter((one) => one.channel === channel.toLowerCase());
  const named = there.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  const own = name === "" ? there.filter(({ sessionId }) => sessionId === id) : named;
  const [found, other] = own.length > 0 ? own : name === "" ? there : [];
  return found === undefined || other !== undefined ? null : found;
}

/** The person who gets the message; null = the owner's pages do. Throws ToolError. */
function requireTarget(messenger: Messenger, { channel }: MessageInput, id: SessionId): MessageTarget | null {
  if (channel === webChannel) return null;
  const found = findTarget(messenger, channel, id);
  if (found !== null) return found;
  const all = [...messenger.targets().map((one) => `${one.channel}:${one.name}`), webChannel].join(", ");
  throw new ToolError("bad_input", `${channel} is nobody who can be written to. channel is one of: ${all}`);
}
