"use client";
/** The operations of an API: searched, switched, pinned, and on demand described and tried. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { CommandInput } from "@/lib/protocol/command";
import type { ApiToolRow, ApiToolView, ApiTrialRequest } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import { ToolRow } from "../tools/tool-row";
import type { ApiPartProps } from "./api-page";
import { useChange } from "../../state/use-change";
import { apiErrorText } from "./api-error-text";
import { callValue } from "../../state/command-query";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Disclosure } from "../item-section/disclosure";
import { LoadedQuery } from "../item-section/project-section";
import { ForeignText, Quote } from "../item-section/foreign-text";
import { formatParameters } from "../tools/server/definition-diff";
import { TrialForm } from "../trials/trial-form";
import { ItemList } from "../item-section/item-section";

/** Shows an operation and a form that tries it: the request is shown before it is sent. */
function ToolDetails({ api, name }: ApiPartProps & { readonly name: string }) {
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

/** A search field is worth its place from here on. */
const searchFrom = 10;

/** `pages` of 50. */
const useApiTools = (input: Omit<CommandInput<"openapi.tools">, "from">, pages: number) =>
  useQuery({
    queryKey: ["openapi.tools", input, pages],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const lists = await Promise.all(
        Array.from({ length: pages }, (_, page) => callValue(context, "openapi.tools", { ...input, from: page * 50 })),
      );
      return { tools: lists.flatMap(({ tools }) => tools), total: lists[0]?.total ?? 0 };
    },
  }).data;

export function ApiTools({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  const { perform } = useChange("toast", apiErrorText);
  const [typed, setTyped] = useState("");
  const [pages, setPages] = useState(1);
  const search = useDeferredValue(typed);
  const found = useApiTools({ api: api.id, search, waiting: false }, pages);
  const tools = (found?.tools ?? []).filter(({ status }) => status === "ready" || status === "off");
  const total = found?.total ?? 0;
  const nothing = search.trim() === "" && total === 0 ? text.noneUsable : text.noMatches;
  return (
    <section aria-label={text.toolsTitle} className="grid gap-2 *:min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="flex-1 font-semibold">{text.toolsTitle}</h3>
        <Button
          size="small"
          look="quiet"
          onClick={() => void perform("openapi.set_tool", { api: api.id, isOff: false })}
        >
          {text.allOn}
        </Button>
        <Button
          size="small"
          look="quiet"
          onClick={() => void perform("openapi.set_tool", { api: api.id, isOff: true })}
        >
          {text.allOff}
        </Button>
      </div>
      {api.counts.tools > searchFrom && (
        <TextField
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          value={typed}
          maxLength={200}
          onChange={(event) => {
            setTyped(event.target.value);
            setPages(1);
          }}
        />
      )}
      {found !== undefined && tools.length === 0 && (
        <p className="text-ink-muted">{found.tools.length === 0 ? nothing : text.allWaiting}</p>
      )}
      {tools.length > 0 && (
        <ItemList label={text.toolsTitle}>
          {tools.map((tool) => (
            <Operation key={tool.name} api={api} tool={tool} />
          ))}
        </ItemList>
      )}
      {total > pages * 50 && (
        <div className="flex items-center gap-3">
          <Button size="small" onClick={() => setPages(pages + 1)}>
            {text.more}
          </Button>
          <span className="text-small text-ink-muted tabular-nums">{text.shown(pages * 50, total)}</span>
        </div>
      )}
    </section>
  );
}

function Operation({ api, tool }: ApiPartProps & { readonly tool: ApiToolRow }) {
  const { common } = useFullMessages();
  const { perform } = useChange("toast", apiErrorText);
  const { name, method, path, about, status, isPinned, tokens } = tool;
  return (
    <ToolRow
      name={name}
      isOn={status === "ready"}
      isPinned={isPinned}
      tokens={tokens}
      about={() => (
        <span className="cut text-small text-ink-muted">
          <VisibleText text={about.startsWith(method) ? about : `${method} ${path} · ${about}`} names={common.hidden} />
        </span>
      )}
      details={() => <ToolDetails api={api} name={name} />}
      onSet={(patch) => void perform("openapi.set_tool", { api: api.id, tool: name, ...patch })}
    />
  );
}
