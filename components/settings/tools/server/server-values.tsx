"use client";
/** The values that a server gets beside its command: which are set, and a field for each. A stored one is never shown. */
import { type FormEvent, useId, useState } from "react";
import type { McpValueView } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { TextField } from "../../../ui/controls/text-field";
import { VisibleText } from "../../../ui/text/visible-text";
import type { ServerPartProps } from "./server-page";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";

export function ServerValues({ server, project }: ServerPartProps) {
  const { mcp: text } = useFullMessages();
  const { values = [] } = server;
  if (values.length === 0) return null;
  const note = server.isOfProject ? text.valuesOfProject : text.valuesNote;
  return (
    <section aria-label={text.values} className="grid gap-1.5">
      <h3 className="font-semibold">{text.values}</h3>
      <p className="max-w-[68ch] text-pretty text-small text-ink-muted">{note}</p>
      <ul className="divide-y divide-line rounded-card border border-line bg-raised">
        {values.map((value) => (
          <ValueRow key={value.name} value={value} server={server} project={project} />
        ))}
      </ul>
    </section>
  );
}

function ValueRow({ value, server, project }: ServerPartProps & { readonly value: McpValueView }) {
  const { mcp: text, common } = useFullMessages();
  const { perform } = useChange("toast", mcpErrorText);
  const id = useId();
  const [typed, setTyped] = useState("");
  const { name, description, isSecret, from } = value;
  const set = (next: string) =>
    perform("mcp.set_value", { projectId: project.id, server: server.id, name, value: next });
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if ((await set(typed)) !== undefined) setTyped("");
  };
  return (
    <li className="grid gap-2 px-3.5 py-3 *:min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <label htmlFor={id} className="font-mono text-code [overflow-wrap:anywhere]">
          <VisibleText text={name.replace(/^input:/, "")} names={common.hidden} />
        </label>
        <span className={from === "none" ? "text-small text-ask" : "text-small text-ink-muted"}>
          {text.valueFrom[from]}
        </span>
      </div>
      {description !== undefined && (
        <p className="text-small text-ink-muted [overflow-wrap:anywhere]">
          <VisibleText text={description} names={common.hidden} />
        </p>
      )}
      <form onSubmit={(event) => void save(event)} className="flex gap-2">
        <TextField
          id={id}
          mono
          type={isSecret ? "password" : "text"}
          autoComplete={isSecret ? "new-password" : "off"}
          value={typed}
          maxLength={20_000}
          onChange={(event) => setTyped(event.target.value)}
          className="min-w-0 flex-1"
        />
        <Button type="submit" disabled={typed === ""} aria-label={text.saveValue(name)}>
          {common.save}
        </Button>
        {from === "stored" && (
          <Button look="quiet" aria-label={text.removeValue(name)} onClick={() => void set("")}>
            {text.remove}
          </Button>
        )}
      </form>
    </li>
  );
}
