"use client";
/** The operations of an API: searched, switched, pinned, and on demand described and tried. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronRight, Pin } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import type { ApiToolRow } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Switch } from "../../ui/controls/switch";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import type { ApiPartProps } from "./api-page";
import { apiToolsQuery } from "./api-queries";
import { ToolDetails } from "./tool-details";
import { useChangeApis } from "./use-change-apis";

/** A search field is worth its place from here on. */
const searchFrom = 10;

export function ApiTools({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  const change = useChangeApis();
  const [typed, setTyped] = useState("");
  const [pages, setPages] = useState(1);
  const search = useDeferredValue(typed);
  const input = { api: api.id, search, waiting: false, pages };
  const found = useQuery({ ...apiToolsQuery(useClient().call, input), placeholderData: keepPreviousData }).data;
  const tools = (found?.tools ?? []).filter(({ status }) => status === "ready" || status === "off");
  const total = found?.total ?? 0;
  return (
    <section aria-label={text.toolsTitle} className="grid gap-2 *:min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="flex-1 font-semibold">{text.toolsTitle}</h3>
        <Button
          size="small"
          look="quiet"
          onClick={() => void change("openapi.set_tool", { api: api.id, isOff: false })}
        >
          {text.allOn}
        </Button>
        <Button size="small" look="quiet" onClick={() => void change("openapi.set_tool", { api: api.id, isOff: true })}>
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
      {found !== undefined && tools.length === 0 && <p className="text-ink-muted">{text.noMatches}</p>}
      {tools.length > 0 && (
        <ul
          aria-label={text.toolsTitle}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
        >
          {tools.map((tool) => (
            <ToolRow key={tool.name} api={api} tool={tool} />
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

function ToolRow({ api, tool }: ApiPartProps & { readonly tool: ApiToolRow }) {
  const { mcp: text, common, figures } = useFullMessages();
  const change = useChangeApis();
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const { name, method, path, about, status, isPinned, tokens } = tool;
  const set = (patch: { readonly isOff?: boolean; readonly isPinned?: boolean }): void =>
    void change("openapi.set_tool", { api: api.id, tool: name, ...patch });
  return (
    <li className="py-2 pr-3.5 pl-2">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control py-0.5 text-left max-tablet:min-h-11"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classes("text-ink-faint transition-transform", isOpen && "rotate-90")}
          />
          <span className="grid min-w-0 flex-1">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <span
                className={classes(
                  "font-mono text-code font-medium [overflow-wrap:anywhere]",
                  status !== "ready" && "text-ink-muted",
                )}
              >
                {name}
              </span>
              <span className="text-small text-ink-muted tabular-nums">{text.tokens(figures.tokens(tokens))}</span>
            </span>
            <span className="cut text-small text-ink-muted">
              <VisibleText
                text={about.startsWith(method) ? about : `${method} ${path} · ${about}`}
                names={common.hidden}
              />
            </span>
          </span>
        </button>
        <IconButton
          icon={Pin}
          on={isPinned}
          name={isPinned ? text.unpinTool(name) : text.pinTool(name)}
          onClick={() => set({ isPinned: !isPinned })}
        />
        <Switch
          aria-label={text.useTool(name)}
          on={status === "ready"}
          onChange={(on) => set({ isOff: !on })}
          className="ml-2"
        />
      </div>
      {isOpen && (
        <div id={detailsId} className="pt-1 pb-2 pl-5">
          <ToolDetails api={api} name={name} />
        </div>
      )}
    </li>
  );
}
