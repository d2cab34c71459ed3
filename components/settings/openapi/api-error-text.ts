/** Sentences for errors of APIs: what happened, and the next step. Pure. */
import type { AgentError } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { FullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";

const asText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const asNumber = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

/** Why a description could not be read once more. */
export function apiReloadErrorText(error: AgentError, messages: FullMessages): string {
  const { code, facts = {} } = error;
  const { problems } = messages.apis;
  if (code === "not_found") return apiErrorText(error, messages);
  const problem =
    facts.reason === "syntax" ? problems.syntaxAtReload(asNumber(facts.line)) : apiErrorText(error, messages);
  return joinSentences(messages, [problem, problems.staysLoaded]);
}

export function apiErrorText({ code, detail, facts = {} }: AgentError, { apis, errors }: FullMessages): string {
  const { problems } = apis;
  const host = asText(facts.host);
  const byReason: Readonly<Record<string, string>> = {
    address: problems.address,
    empty: problems.empty,
    html: problems.html,
    syntax: problems.syntax(asNumber(facts.line)),
    not_openapi: problems.notOpenapi,
    swagger_1: problems.swagger1,
    version: problems.version(asText(facts.version)),
    no_operations: problems.noOperations,
    too_complex: problems.tooComplex,
    upload: problems.upload,
    key: problems.key,
    key_pair: problems.keyPair,
    http_status: problems.status(host, asNumber(facts.status)),
    not_public: problems.private(host),
    redirected: problems.redirected(host, asText(facts.address)),
  };
  const byCode: { readonly [name in AgentError["code"]]?: string } = {
    too_large: problems.tooLarge,
    exists: problems.exists(asText(facts.name), asText(facts.id)),
    too_many: problems.tooMany(asNumber(facts.limit)),
    not_found: apis.missing,
    changed_meanwhile: problems.changed,
  };
  const reason = byReason[asText(facts.reason)];
  if (reason !== undefined) return reason;
  if (host !== "") return problems.unreachable(host);
  // Of a trial: what a model would get.
  if (detail !== undefined && detail !== "") return detail;
  return byCode[code] ?? errors.sentences[code];
}
