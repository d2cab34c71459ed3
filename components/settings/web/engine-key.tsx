"use client";
/** API key of a search engine: write-only, a stored key is never shown. */
import { type FormEvent, useState } from "react";
import type { WebProviderState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { useChange } from "../use-change";

export function EngineKey({ provider: { id, hasKey } }: { readonly provider: WebProviderState }) {
  const { web: text, common } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const [typed, setTyped] = useState("");
  const [isReplacing, setReplacing] = useState(false);
  const name = text.names[id];
  if (hasKey && !isReplacing)
    return (
      <div className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-2">
        <p className="basis-full text-small text-ink-muted">{text.keyStored}</p>
        <Button size="small" onClick={() => setReplacing(true)}>
          {text.replaceKey}
        </Button>
        <Button size="small" look="quiet" onClick={() => void perform("web.set_key", { provider: id, key: "" })}>
          {text.removeKey}
        </Button>
      </div>
    );
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!(await perform("web.set_key", { provider: id, key: typed.trim() }))) return;
    setTyped("");
    setReplacing(false);
  };
  return (
    <form onSubmit={(event) => void save(event)} className="flex min-w-0 flex-1 basis-72 gap-2">
      <TextField
        mono
        type="password"
        autoComplete="new-password"
        aria-label={text.keyOf(name)}
        placeholder={text.key}
        value={typed}
        maxLength={2000}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={typed.trim() === ""}>
        {common.save}
      </Button>
    </form>
  );
}
