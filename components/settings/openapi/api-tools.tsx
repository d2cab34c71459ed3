"use client";
/** The operations of an API: searched, switched, pinned, and on demand described and tried. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { CommandInput } from "@/lib/protocol/command";
import type { ApiToolRow } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import { ToolRow } from "../tools/tool-row";
import type { ApiPartProps } from "./api-page";
import { ToolDetails } from "./tool-details";
import { useChange } from "../use-change";
import { apiErrorText } from "./api-error-text";
import { callValue } from "../../state/command-query";

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
        <ul
          aria-label={text.toolsTitle}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
        >
          {tools.map((tool) => (
            <Operation key={tool.name} api={api} tool={tool} />
          ))}
        </ul>
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
