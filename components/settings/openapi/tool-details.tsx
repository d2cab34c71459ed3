"use client";
/** What an operation is, and a form that tries it: the request is shown before it is sent. */
import type { ApiToolView, ApiTrialRequest } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Disclosure } from "../disclosure";
import { LoadedQuery } from "../project-section";
import { ForeignText, Quote } from "../item-section/foreign-text";
import { formatParameters } from "../tools/server/definition-diff";
import { TrialForm } from "../trials/trial-form";
import { apiErrorText } from "./api-error-text";
import type { ApiPartProps } from "./api-page";

export function ToolDetails({ api, name }: ApiPartProps & { readonly name: string }) {
  const { apis: text, mcp } = useFullMessages();
  return (
    <LoadedQuery query={useCommandQuery("openapi.tool", { api: api.id, tool: name })} failed={text.failed}>
      {(tool) => (
        <div className="grid gap-3 *:min-w-0">
          <Quote
            text={tool.definition.description}
            className="block max-h-60 overflow-auto whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
          />
          <Disclosure title={mcp.parameters}>
            <ForeignText mono text={formatParameters(tool.definition.parameters)} label={mcp.parameters} />
          </Disclosure>
          {tool.status === "ready" && api.isConfirmed && api.isEnabled && <ApiTrialForm api={api} tool={tool} />}
        </div>
      )}
    </LoadedQuery>
  );
}

function ApiTrialForm({ api, tool }: ApiPartProps & { readonly tool: ApiToolView }) {
  const messages = useFullMessages();
  const { call } = useClient();
  const tried = { api: api.id, tool: tool.name };
  return (
    <TrialForm<ApiTrialRequest>
      name={tool.name}
      parameters={tool.parameters}
      labels={messages.apis}
      review={(input) => call("openapi.preview", { ...tried, input: { ...input } })}
      format={formatRequest}
      run={(_request, input, trial) => call("openapi.try", { ...tried, input: { ...input }, trial })}
      stop={(trial) => void call("openapi.stop_trial", { trial })}
      errorText={(error) => apiErrorText(error, messages)}
    />
  );
}

const formatRequest = ({ method, url, body }: ApiTrialRequest): string =>
  `${method} ${url}${body === null ? "" : `\n\n${body}`}`;
