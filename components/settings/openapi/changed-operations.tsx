"use client";
/** Operations that are new, changed or gone since the approval: what has changed, and the decision. */
import { useQuery } from "@tanstack/react-query";
import type { ApiToolView } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { DefinitionChange } from "../tools/server/changed-tools";
import type { ApiPartProps } from "./api-page";
import { useChange } from "../../state/use-change";
import { apiErrorText } from "./api-error-text";
import { callValue } from "../../state/command-query";

/** The first 50; the next ones follow when these are decided. */
const useWaiting = (api: string) => {
  const input = { api, search: "", waiting: true, from: 0 };
  return useQuery({
    queryKey: ["openapi.tools", input, "definitions"],
    queryFn: async ({ meta }) => {
      const { tools } = await callValue({ meta }, "openapi.tools", input);
      return Promise.all(tools.map(({ name }) => callValue({ meta }, "openapi.tool", { api, tool: name })));
    },
  });
};

export function ChangedOperations({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  const { perform } = useChange("toast", apiErrorText);
  const waiting = useWaiting(api.id).data ?? [];
  const accept = (tools: readonly ApiToolView[]): void =>
    void perform("openapi.accept", { api: api.id, tools: tools.map(({ name, hash }) => ({ name, hash })) });
  if (waiting.length === 0) return null;
  return (
    <section aria-label={text.changesTitle} className="overflow-hidden rounded-card border border-ask/60 bg-raised">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-ask/40 bg-ask-soft py-2 pr-2.5 pl-3.5">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-medium">{text.changesTitle}</h3>
          <p className="text-small text-ink-muted">{text.changesNote}</p>
        </div>
        {waiting.length > 1 && (
          <Button size="small" onClick={() => accept(waiting)}>
            {text.approveShown(waiting.length)}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line">
        {waiting.map((tool) => (
          <ChangedOperation key={tool.name} tool={tool} onAccept={() => accept([tool])} />
        ))}
      </ul>
    </section>
  );
}

function ChangedOperation({ tool, onAccept }: { readonly tool: ApiToolView; readonly onAccept: () => void }) {
  const { apis: text, mcp, common } = useFullMessages();
  const { name, method, path, status, about, approved, definition } = tool;
  const action = status === "gone" ? text.forget : text.approve;
  return (
    <li className="grid gap-2 py-2.5 pr-2.5 pl-3.5 *:min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <code className="text-code font-medium">{name}</code>
            <Chip tone={status === "gone" ? "plain" : "ask"}>{text.statuses[status]}</Chip>
          </p>
          <p className="text-small text-ink-muted">
            <VisibleText text={`${method} ${path} · ${about}`} names={common.hidden} />
          </p>
        </div>
        <Button size="small" aria-label={mcp.actOn(action, name)} onClick={onAccept}>
          {action}
        </Button>
      </div>
      {approved !== undefined && <DefinitionChange name={name} approved={approved} current={definition} />}
    </li>
  );
}
