/**
 * The prompts and resources of servers: their lists as they were when a server last ran, so that typing starts no process,
 * and the texts of single ones, for which it is started.
 */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { stripAnsi } from "@/lib/text/ansi";
import type { McpOffers } from "@/lib/tools/mcp";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFile } from "@/server/store/core/private-file";
import { escapeElements, removeInvisible, toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { type ConfiguredServer, processKey } from "./configured-servers";
import type { McpConnection } from "./connection";
import type { McpPrompt, McpResource } from "./server-lists";
import type { McpServers } from "./servers";
import type { ForeignContent } from "@/server/tools/toolbox/foreign-result";

/** Limits for one server; more entries are left out. */
const maxPrompts = 100;
const maxResources = 200;
const maxStored = 100;
const maxNameChars = 200;
const maxUriChars = 1_000;
const maxDescriptionChars = 500;

/** Null = the list could not be read: what is stored of it stays. */
export interface ListedOffers {
  readonly prompts: readonly McpPrompt[] | null;
  readonly resources: readonly McpResource[] | null;
}

interface StoredLists {
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

/** Lists them over a connection. The tools of a server work without them. */
export async function listOffers(connection: McpConnection, signal: AbortSignal): Promise<ListedOffers> {
  const [prompts, resources] = await Promise.all([connection.listPrompts(signal), connection.listResources(signal)]);
  const name = (text: string): string => oneLine(text, maxNameChars);
  const about = (text: string): string => oneLine(text, maxDescriptionChars);
  return {
    prompts: !prompts.ok
      ? null
      : prompts.value.entries
          .filter((prompt) => prompt.name.length <= maxNameChars)
          .slice(0, maxPrompts)
          .map((prompt) => ({
            name: prompt.name,
            title: name(prompt.title),
            description: about(prompt.description),
            arguments: prompt.arguments
              .slice(0, limits.messageReferences)
              .map((one) => ({ ...one, description: about(one.description) })),
          })),
    resources: !resources.ok
      ? null
      : resources.value.entries
          .filter(({ uri }) => uri.length <= maxUriChars)
          .slice(0, maxResources)
          .map(({ uri, name: title, description, mime }) => ({
            uri,
            name: name(title),
            description: about(description),
            mime: name(mime),
          })),
  };
}

const oneLine = (text: string, maxChars: number): string =>
  toPlainLines(stripAnsi(text.slice(0, maxChars * 2)), maxChars)
    .replace(/\s+/g, " ")
    .trim();

const storedOffers = z.array(
  z.object({
    key: z.string(),
    launch: z.string(),
    prompts: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
      }),
    ),
    resources: z.array(z.object({ uri: z.string(), name: z.string(), description: z.string(), mime: z.string() })),
  }),
);
interface StoredOffers extends StoredLists {
  readonly key: string;
  readonly launch: string;
}

export interface OfferStore {
  get(server: ConfiguredServer): StoredLists;
  /** False = they were stored already. */
  save(server: ConfiguredServer, offers: ListedOffers): boolean;
}

export const noOffers: StoredLists = { prompts: [], resources: [] };

/** `path` = the file, which can be lost: the next start of a server writes its lists again. */
export function makeOfferStore(path: string): OfferStore {
  let stored: readonly StoredOffers[] | null = null;
  const load = (): readonly StoredOffers[] => (stored ??= readStored(path));
  const get = ({ key, launch }: ConfiguredServer): StoredLists =>
    load().find((one) => one.key === key && one.launch === launch) ?? noOffers;
  return {
    get,
    save(server, offers) {
      const { key, launch } = server;
      const before = get(server);
      const { prompts = before.prompts, resources = before.resources } = withoutNull(offers);
      const isSame = JSON.stringify([prompts, resources]) === JSON.stringify([before.prompts, before.resources]);
      const others = load().filter((one) => one.key !== key);
      const isEmpty = prompts.length + resources.length === 0;
      if (isSame && (!isEmpty || others.length === load().length)) return false;
      const added = { key, launch, prompts, resources };
      stored = isEmpty ? others : [...others, added].slice(-maxStored);
      try {
        writePrivateFile(path, `${JSON.stringify(stored)}\n`);
      } catch {
        // The next list writes it.
      }
      return true;
    },
  };
}

const withoutNull = ({ prompts, resources }: ListedOffers): Partial<StoredLists> => ({
  ...(prompts === null ? {} : { prompts }),
  ...(resources === null ? {} : { resources }),
});

function readStored(path: string): readonly StoredOffers[] {
  try {
    const read = storedOffers.safeParse(parseJson(readFileSync(path, "utf8")));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

interface OfferedImage {
  readonly bytes: Uint8Array;
  readonly mime: string;
}

/** The images of a resource that is nothing else; null = it has another content. Fails with too_large and bad_image. */
export function toOfferImages(content: readonly ForeignContent[]): Result<readonly OfferedImage[]> | null {
  const isImage = (one: ForeignContent): one is Extract<ForeignContent, { readonly data: string }> =>
    one.type === "image" || (one.type === "blob" && one.mime.startsWith("image/"));
  const images = content.filter(isImage);
  if (images.length === 0 || images.length < content.length) return null;
  const limit = limits.imageMaxBytes;
  if (images.some(({ data }) => Buffer.byteLength(data, "base64") > limit))
    return fail("too_large", undefined, { limit });
  const decoded = images.slice(0, limits.messageImages).map(({ data }) => Buffer.from(data, "base64"));
  const typed = decoded.flatMap((bytes) => {
    const mime = detectImageType(bytes);
    return mime === null ? [] : [{ bytes, mime }];
  });
  return typed.length < decoded.length ? fail("bad_image") : ok(typed);
}

/** Text of a prompt or a resource, at most as long as a message; what is no text is named. Fails with gone and binary. */
export function toOfferText(content: readonly ForeignContent[]): Result<string> {
  const texts = content.flatMap((one) => (one.type === "text" || one.type === "resource" ? [one.text] : []));
  const others = content.flatMap((one) => {
    if (one.type === "text" || one.type === "resource") return [];
    return one.type === "link" ? [one.uri] : [`[${one.type} left out: ${one.mime}]`];
  });
  if (texts.every((text) => text.trim() === "")) return fail(others.length === 0 ? "gone" : "binary");
  const text = removeInvisible(stripAnsi([...texts, ...others].join("\n\n")));
  return ok(escapeElements(text).slice(0, limits.promptMaxChars));
}

interface OffersParts {
  readonly store: OfferStore;
  readonly servers: Pick<McpServers, "use">;
  /** Servers of the project that can be used now. */
  usable(projectId: ProjectId): readonly ConfiguredServer[];
}

export interface Offers {
  view(projectId: ProjectId): McpOffers;
  /** Starts the server. Fails with not_found, and like its start. */
  prompt(
    projectId: ProjectId,
    server: string,
    name: string,
    input: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<Result<string>>;
  /** The same for the content of a resource. */
  resource(
    projectId: ProjectId,
    server: string,
    uri: string,
    signal: AbortSignal,
  ): Promise<Result<readonly ForeignContent[]>>;
}

export function makeOffers({ store, servers, usable }: OffersParts): Offers {
  const use = async (
    projectId: ProjectId,
    id: string,
    read: (connection: McpConnection) => Promise<Result<readonly ForeignContent[]>>,
    signal: AbortSignal,
  ): Promise<Result<readonly ForeignContent[]>> => {
    const server = usable(projectId).find((one) => one.id === id);
    if (server === undefined) return fail("not_found");
    return servers.use(processKey(server, projectId), read, () => {}, signal);
  };
  return {
    view(projectId) {
      const found = usable(projectId).map((server) => ({ server: server.id, offers: store.get(server) }));
      return {
        prompts: found.flatMap(({ server, offers }) => offers.prompts.map((prompt) => ({ server, ...prompt }))),
        resources: found.flatMap(({ server, offers }) => offers.resources.map((one) => ({ server, ...one }))),
      };
    },
    async prompt(projectId, server, name, input, signal) {
      const content = await use(projectId, server, (connection) => connection.getPrompt(name, input, signal), signal);
      return content.ok ? toOfferText(content.value) : content;
    },
    resource: (projectId, server, uri, signal) =>
      use(projectId, server, (connection) => connection.readResource(uri, signal), signal),
  };
}
