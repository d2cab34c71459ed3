"use client";
/** The keys of an API by the schemes of its document: write-only, a stored key is never shown. */
import { type FormEvent, useState } from "react";
import type { ApiSchemeView } from "@/lib/tools/openapi";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import type { ApiPartProps } from "./api-page";
import { useChange } from "../../state/use-change";
import { apiErrorText } from "./api-error-text";
import { ItemList } from "../item-section/item-section";

export function ApiKeys({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  return (
    <section aria-label={text.keys} className="grid gap-2">
      <h3 className="font-semibold">{text.keys}</h3>
      <p className="max-w-[68ch] text-small text-ink-muted">{text.keysNote}</p>
      <ItemList label={text.keys}>
        {api.schemes.map((scheme) => (
          <ApiKey key={scheme.name} api={api.id} scheme={scheme} />
        ))}
      </ItemList>
    </section>
  );
}

function ApiKey({ api, scheme }: { readonly api: string; readonly scheme: ApiSchemeView }) {
  const { apis: text, common } = useFullMessages();
  const { perform } = useChange("toast", apiErrorText);
  const [typed, setTyped] = useState("");
  const { name, place, hasKey } = scheme;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const saved = await perform("openapi.set_key", { api, scheme: name, key: typed.trim() });
    if (saved !== undefined) setTyped("");
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <VisibleText text={name} names={common.hidden} />
        </p>
        <p className="text-small text-ink-muted">
          <VisibleText text={placeText(scheme, text)} names={common.hidden} />
        </p>
      </div>
      {place !== null && hasKey && (
        <div className="flex items-center gap-2">
          <span className="text-small text-ink-muted">{text.keyStored}</span>
          <Button size="small" onClick={() => void perform("openapi.set_key", { api, scheme: name, key: "" })}>
            {text.removeKey}
          </Button>
        </div>
      )}
      {place !== null && !hasKey && (
        <form onSubmit={(event) => void save(event)} className="flex flex-1 basis-60 gap-2">
          <TextField
            mono
            type="password"
            autoComplete="new-password"
            aria-label={text.keyOf(name)}
            value={typed}
            maxLength={8_000}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={typed.trim() === ""}>
            {text.saveKey}
          </Button>
        </form>
      )}
    </li>
  );
}

function placeText({ place, label }: ApiSchemeView, text: FullMessages["apis"]): string {
  if (place === null) return text.keyUnsupported(label);
  return place === "bearer" && label !== "bearer" ? text.pastedToken : text.keyPlaces[place](label);
}
