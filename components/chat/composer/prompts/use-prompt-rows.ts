"use client";
/** Prompts of MCP servers that complete the text of the message field, and the one that was picked. */
import { skipToken } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { McpPromptOffer } from "@/lib/tools/mcp";
import type { OfferRow } from "../menus/offer-menu";
import { matchPrompts, promptCommand } from "./match-prompts";
import { isAnswered, useCommandQuery } from "../../../state/use-command-query";

interface PromptRows {
  readonly isKnown: boolean;
  readonly rows: readonly OfferRow[];
  /** null = none, or the text is another one now. */
  readonly chosen: { readonly prompt: McpPromptOffer; readonly command: string } | null;
  readonly close: () => void;
}

export function usePromptRows(projectId: ProjectId, text: string): PromptRows {
  const offers = useCommandQuery("mcp.offers", projectId === null ? skipToken : { projectId });
  const [picked, setPicked] = useState<string | null>(null);
  const found = matchPrompts(text, offers.data?.prompts ?? []).map((prompt) => ({
    prompt,
    command: promptCommand(prompt),
  }));
  return {
    isKnown: isAnswered(offers),
    rows: found.map(({ prompt: { description, title }, command }) => ({
      key: command,
      name: command,
      detail: description === "" ? title : description,
      pick: () => setPicked(command),
    })),
    chosen: found.find(({ command }) => command === picked) ?? null,
    close: () => setPicked(null),
  };
}
