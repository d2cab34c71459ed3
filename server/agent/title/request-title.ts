/**
 * Requests a title from the session's own model. The request continues the conversation with the same thinking and tools, so
 * that the server's prompt cache applies, and is not sent where the cache does not hold the conversation.
 */
import { promptFile } from "@/server/prompts/prompts";
import type { ModelMessage } from "@/server/providers/provider";
import { buildRequestFrom, type PreparedRequest } from "../context/build-request";
import { compileMessages } from "../context/compile";
import { contextBudget } from "../context/context-budget";
import { findCountedPrefix, renderForMode, requireRunModel } from "../context/prompt-size";
import type { AgentHost } from "../host";
import { readAnswer } from "../reader/read-answer";

/** Maximum length of a title, tokens. */
const titleMaxTokens = 40;
/** Further output of a model that thinks, tokens: the end of its thinking is requested at its start, where its server can do that. */
const thinkingMaxTokens = 256;

/** Returns the text of the answer; null = there is none, it contains a call, or a request would cost the session its cache. */
export async function requestTitle(host: AgentHost, signal: AbortSignal): Promise<string | null> {
  const { request, tokens } = prepareTitleRequest(host);
  const room = contextBudget(host.modelFacts()).promptMax - tokens;
  if (room < request.maxOutputTokens || !host.continuesLast(request)) return null;
  let text = "";
  for await (const part of host.stream(request, signal)) {
    if (signal.aborted || part.type === "call" || part.type === "input" || part.type === "failed") return null;
    if (part.type === "control") void part.endThinking(signal);
    if (part.type === "text") text += part.text;
    if (part.type === "finish") return part.stop === "done" ? textWithoutCalls(host, text) : null;
  }
  return null;
}

function prepareTitleRequest(host: AgentHost): PreparedRequest {
  const model = requireRunModel(host);
  const ask: ModelMessage = { role: "user", text: promptFile("title.md") };
  const messages = compileMessages(host.view(), { system: host.prompt().system, image: host.image });
  const counted = findCountedPrefix(host);
  return buildRequestFrom(
    host,
    [...renderForMode(model, messages), ask],
    counted === null ? null : { ...counted, since: [...counted.since, ask] },
    titleMaxTokens + (model.think === false ? 0 : thinkingMaxTokens),
  );
}

/** Returns an answer without the thinking in its text; null = it contains a call. */
function textWithoutCalls(host: AgentHost, answer: string): string | null {
  const blocks = readAnswer(answer, { tools: host.tools(), mode: requireRunModel(host).toolMode }, true);
  if (blocks.some(({ type }) => type === "call")) return null;
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
