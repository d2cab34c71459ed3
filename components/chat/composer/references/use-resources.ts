"use client";
/** Resources of MCP servers for the menu of mentions, and reading the one that was chosen. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ImageRef } from "@/lib/events/content";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { McpResourceOffer } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { offersQuery } from "../../../state/offer-queries";
import { useStore } from "../../../state/store";
import { clipLabel } from "./draft-references";
import { fitServerText } from "./fit-server-text";
import { resourceName } from "./mention-rows";
import type { ReferenceStore } from "./use-references";

const none: readonly McpResourceOffer[] = [];

/** Those of the open project. */
export function useResources(): readonly McpResourceOffer[] {
  const { call, workbench } = useClient();
  const projectId = useStore(workbench, (state) => state.projectId);
  return useQuery(offersQuery(call, projectId)).data?.resources ?? none;
}

interface ReadResource {
  /** Name of the server that is being read from; null = none. */
  readonly reading: string | null;
  readonly read: (resource: McpResourceOffer) => void;
}

interface ResourceTarget {
  /** Gets the text of a resource, cut to 1/16 of the window. */
  readonly onPick: (reference: NewReference) => void;
  /** Gets the images of a resource that is nothing else. */
  readonly onImages: (name: string, images: readonly ImageRef[]) => void;
}

export function useReadResource(store: ReferenceStore, { onPick, onImages }: ResourceTarget): ReadResource {
  const { errors } = useFullMessages();
  const { call, toasts, workbench } = useClient();
  const projectId = useStore(workbench, (state) => state.projectId);
  const [reading, setReading] = useState<string | null>(null);
  const read = async (resource: McpResourceOffer): Promise<void> => {
    if (projectId === null) return;
    const { server, uri } = resource;
    setReading(server);
    const answer = await call("mcp.resource", { projectId, server, uri });
    setReading(null);
    if (!answer.ok) return void toasts.show({ text: errors.sentences[answer.error.code], look: "danger" });
    if ("images" in answer.value) return onImages(resourceName(resource), answer.value.images);
    const { text, lines } = await fitServerText(store, answer.value.text);
    const label = `${resourceName(resource)}${lines === null ? "" : `:1-${lines}`}`;
    onPick(clipLabel({ kind: "text", label, text }));
  };
  return { reading, read: (resource) => void read(resource) };
}
