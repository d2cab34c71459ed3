"use client";
/** Texts beside files for the menu of mentions (memory, tools, commits, web pages, resources of MCP servers), and reading the chosen one. */
import { skipToken } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ImageRef } from "@/lib/events/content";
import type { AgentError, Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { NewReference } from "@/lib/protocol/reference-commands";
import { diaryName, type MemoryState } from "@/lib/tools/memory";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useCommandQuery } from "../../../state/use-command-query";
import { useStore } from "../../../state/store";
import { clipLabel } from "./draft-references";
import { fitServerText } from "./fit-server-text";
import {
  gitMention,
  gitRows,
  isPageAddress,
  memoryMention,
  memoryRows,
  type MentionRowContent,
  pageRow,
  type ReadableText,
  resourceRows,
  toolMention,
  toolRows,
} from "./mention-rows";
import type { ReferenceStore } from "./use-references";

type Call = ReturnType<typeof useClient>["call"];

interface ReadableRows {
  /** null = the letters name no texts, so they are those of a file. */
  readonly own: readonly MentionRowContent[] | null;
  /** Resources that the letters match beside files. */
  readonly resources: readonly MentionRowContent[];
  readonly isComplete: boolean;
}

const staleMs = 30_000;
const newestDays = 7;

/** Returns the rows of the open project that match the typed letters. */
export function useReadableRows(typed: string): ReadableRows {
  const { workbench } = useClient();
  const { references } = useFullMessages();
  const projectId = useStore(workbench, (state) => state.projectId);
  const offers = useCommandQuery("mcp.offers", projectId === null ? skipToken : { projectId }).data?.resources;
  const wanted = (prefix: string) => (typed.startsWith(prefix) && projectId !== null ? { projectId } : skipToken);
  const files = useCommandQuery("memory.state", wanted(memoryMention), { staleTime: staleMs, select: memoryNames });
  const tools = useCommandQuery("tools.offers", wanted(toolMention), { staleTime: staleMs });
  const log = useCommandQuery("source.log", wanted(gitMention), { staleTime: staleMs, retry: false });
  return useMemo(() => {
    const resources = resourceRows(offers ?? [], typed);
    if (isPageAddress(typed)) return { own: [pageRow(typed, references.readPage)], resources, isComplete: true };
    if (typed.startsWith(memoryMention)) {
      const own = memoryRows(files.data ?? [], typed.slice(memoryMention.length));
      return { own, resources: [], isComplete: !files.isPending };
    }
    if (typed.startsWith(gitMention)) {
      const own = gitRows(log.data?.commits ?? [], typed.slice(gitMention.length), references);
      return { own: log.isError ? [] : own, resources: [], isComplete: !log.isPending };
    }
    if (!typed.startsWith(toolMention)) return { own: null, resources, isComplete: true };
    const own = toolRows(tools.data?.tools ?? [], typed.slice(toolMention.length));
    return { own, resources: [], isComplete: !tools.isPending };
  }, [
    typed,
    offers,
    files.data,
    files.isPending,
    tools.data,
    tools.isPending,
    log.data,
    log.isError,
    log.isPending,
    references,
  ]);
}

function memoryNames({ files, days }: MemoryState): readonly string[] {
  const written = files.flatMap(({ name, hash }) => (hash === null ? [] : [name]));
  return [...written, ...days.slice(-newestDays).toReversed().map(diaryName)];
}

type ReadContent = { readonly text: string } | { readonly images: readonly ImageRef[] };

function readContent(call: Call, projectId: ProjectId, source: ReadableText): Promise<Result<ReadContent>> {
  switch (source.kind) {
    case "resource":
      return call("mcp.resource", { projectId, server: source.server, uri: source.uri });
    case "memory":
      return call("memory.read", { file: source.file });
    case "tool":
      return call("tools.describe", { projectId, tool: source.tool });
    case "page":
      return call("web.page", { address: source.address });
  }
}

/** Returns the name of the server, host, file or tool that provides the text. */
function ownerOf(source: ReadableText): string {
  if (source.kind === "resource") return source.server;
  if (source.kind === "page") return new URL(source.address).host;
  return source.kind === "memory" ? source.file : source.tool;
}

function failureText({ code, facts }: AgentError, { errors, references, web }: FullMessages, source: ReadableText) {
  if (source.kind === "page" && code === "tool_off") return references.webOff;
  const { webFailure, host = "" } = facts ?? {};
  return webFailure && isWebFailure(webFailure, web.fetchFailures)
    ? web.fetchFailures[webFailure](host)
    : errors.sentences[code];
}

const isWebFailure = <T extends object>(name: PropertyKey, texts: T): name is keyof T => Object.hasOwn(texts, name);

interface ReadText {
  /** Text that is being read; null = none. */
  readonly reading: string | null;
  readonly read: (source: ReadableText, label: string) => void;
}

interface ReadTarget {
  /** Gets the text, cut to 1/16 of the window. */
  readonly onPick: (reference: NewReference) => void;
  /** Gets the images of a resource that is nothing else. */
  readonly onImages: (name: string, images: readonly ImageRef[]) => void;
}

export function useReadText(store: ReferenceStore, { onPick, onImages }: ReadTarget): ReadText {
  const messages = useFullMessages();
  const { call, toasts, workbench } = useClient();
  const projectId = useStore(workbench, (state) => state.projectId);
  const [reading, setReading] = useState<string | null>(null);
  const read = async (source: ReadableText, name: string): Promise<void> => {
    if (projectId === null) return;
    setReading(ownerOf(source));
    const answer = await readContent(call, projectId, source);
    setReading(null);
    if (!answer.ok) return void toasts.show({ text: failureText(answer.error, messages, source), look: "danger" });
    if ("images" in answer.value) return onImages(name, answer.value.images);
    const { text, lines } = await fitServerText(store, answer.value.text);
    onPick(clipLabel({ kind: "text", label: `${name}${lines === null ? "" : `:1-${lines}`}`, text }));
  };
  return { reading, read: (source, label) => void read(source, label) };
}
