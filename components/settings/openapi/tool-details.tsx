"use client";
/** What an operation is, and a form that tries it: the request is shown before it is sent. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Json } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { ApiToolView, ApiTrial, ApiTrialRequest } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Disclosure } from "../disclosure";
import { LoadedQuery } from "../project-section";
import { ForeignText, Quote } from "../tools/foreign-text";
import { formatParameters } from "../tools/server/definition-diff";
import { apiErrorText } from "./api-error-text";
import type { ApiPartProps } from "./api-page";
import { apiToolQuery } from "./api-queries";
import { readTrialFields, readTrialInput } from "./trial-fields";

export function ToolDetails({ api, name }: ApiPartProps & { readonly name: string }) {
  const { apis: text, mcp } = useFullMessages();
  return (
    <LoadedQuery query={useQuery(apiToolQuery(useClient().call, api.id, name))} failed={text.failed}>
      {(tool) => (
        <div className="grid gap-3 *:min-w-0">
          <Quote
            text={tool.definition.description}
            className="block max-h-60 overflow-auto whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
          />
          <Disclosure title={mcp.parameters}>
            <ForeignText mono text={formatParameters(tool.definition.parameters)} label={mcp.parameters} />
          </Disclosure>
          {tool.status === "ready" && api.isConfirmed && api.isEnabled && <TrialForm api={api} tool={tool} />}
        </div>
      )}
    </LoadedQuery>
  );
}

interface ShownRequest {
  readonly kind: "request";
  readonly request: ApiTrialRequest;
  readonly input: { readonly [name: string]: Json };
  readonly isSending?: boolean;
  readonly answer?: ApiTrial;
}

type Trial = { readonly kind: "none" | "busy" } | ShownRequest | { readonly kind: "problem"; readonly problem: string };

function TrialForm({ api, tool }: ApiPartProps & { readonly tool: ApiToolView }) {
  const messages = useFullMessages();
  const { apis: text } = messages;
  const { call } = useClient();
  const fields = readTrialFields(tool.parameters);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<Trial>({ kind: "none" });
  const fail = (error: AgentError): void => setTrial({ kind: "problem", problem: apiErrorText(error, messages) });
  const review = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readTrialInput(fields, typed);
    if (!read.ok) return setTrial({ kind: "problem", problem: text.notJson(read.field) });
    setTrial({ kind: "busy" });
    const previewed = await call("openapi.preview", { api: api.id, tool: tool.name, input: read.input });
    if (previewed.ok) setTrial({ kind: "request", request: previewed.value, input: read.input });
    else fail(previewed.error);
  };
  const send = async ({ kind, request, input }: ShownRequest): Promise<void> => {
    setTrial({ kind, request, input, isSending: true });
    const sent = await call("openapi.try", { api: api.id, tool: tool.name, input: { ...input } });
    if (sent.ok) setTrial({ kind, request, input, answer: sent.value });
    else fail(sent.error);
  };
  return (
    <section aria-label={text.tryOf(tool.name)} className="grid gap-2 rounded-card border border-line p-3 *:min-w-0">
      <h4 className="font-medium">{text.tryIt}</h4>
      <p className="text-small text-ink-muted">{fields.length === 0 ? text.noFields : text.tryNote}</p>
      <form onSubmit={(event) => void review(event)} className="grid gap-2">
        {fields.map(({ name, isRequired, type }) => (
          <label key={name} className="grid gap-x-3 gap-y-0.5 tablet:grid-cols-[12rem_1fr] tablet:items-center">
            <span className="text-small [overflow-wrap:anywhere]">
              <code className="text-code">{name}</code>{" "}
              <span className="text-ink-muted">{isRequired ? `${type}, ${text.required}` : type}</span>
            </span>
            <TextField
              mono
              value={typed[name] ?? ""}
              onChange={(event) => {
                setTyped({ ...typed, [name]: event.target.value });
                setTrial({ kind: "none" });
              }}
            />
          </label>
        ))}
        <div>
          <Button type="submit" size="small" busy={trial.kind === "busy"}>
            {text.review}
          </Button>
        </div>
      </form>
      <div role="status" className="grid gap-2 empty:hidden *:min-w-0">
        {trial.kind === "problem" && <p className="text-danger [overflow-wrap:anywhere]">{trial.problem}</p>}
        {trial.kind === "request" && (
          <>
            <p className="text-ink-muted">{text.reviewNote}</p>
            <ForeignText mono text={formatRequest(trial.request)} label={text.review} />
            <div>
              <Button size="small" look="primary" busy={trial.isSending} onClick={() => void send(trial)}>
                {text.send}
              </Button>
            </div>
            {trial.answer !== undefined && <ForeignText mono text={trial.answer.text} label={text.answer} />}
          </>
        )}
      </div>
    </section>
  );
}

const formatRequest = ({ method, url, body }: ApiTrialRequest): string =>
  `${method} ${url}${body === null ? "" : `\n\n${body}`}`;
