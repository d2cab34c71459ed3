"use client";
/** The APIs whose operations are tools: a list with a button that adds one, or the page of one. */
import { useState } from "react";
import type { ApiView, OpenApiState } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemRow } from "../item-section/item-row";
import { ItemList, ItemSection } from "../item-section/item-section";
import { formatItemAddress } from "../item-section/open-item";
import { OpenItemButton } from "../item-section/open-item-button";
import { SourceId } from "../item-section/source-id";
import { AddApi } from "./add-api";
import { ApiPage } from "./api-page";
import { useChange } from "../../state/use-change";
import { apiErrorText } from "./api-error-text";
import { useCommandQuery } from "../../state/use-command-query";

/** `opened` = the id of the API whose page is shown; null = the list. */
export function ApiSection({ opened }: { readonly opened: string | null }) {
  const { apis: text } = useFullMessages();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <ItemSection<OpenApiState, ApiView>
      text={text}
      about={text.about}
      opened={opened}
      query={useCommandQuery("openapi.state", {})}
      items={({ apis }) => apis}
      addressOf={({ id }) => id}
      list={(state) => (
        <>
          <ApiList state={state} />
          <div>
            <Button onClick={() => setIsAdding(true)}>{text.add}</Button>
          </div>
          {isAdding && <AddApi onClose={() => setIsAdding(false)} />}
        </>
      )}
      page={(api) => <ApiPage api={api} />}
    />
  );
}

function ApiList({ state: { apis, problems } }: { readonly state: OpenApiState }) {
  const { apis: text } = useFullMessages();
  const { perform } = useChange("toast", apiErrorText);
  return (
    <>
      {problems.map(({ id }) => (
        <p key={id} role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {text.damaged(id)}
          <Button size="small" onClick={() => void perform("openapi.remove", { api: id })}>
            {text.remove}
          </Button>
        </p>
      ))}
      {apis.length > 0 && (
        <ItemList label={text.title}>
          {apis.map((api) => (
            <ApiRow key={api.id} api={api} />
          ))}
        </ItemList>
      )}
    </>
  );
}

function ApiRow({ api }: { readonly api: ApiView }) {
  const { apis: text, common } = useFullMessages();
  const { id, title, address, counts, isConfirmed, isEnabled } = api;
  const name = title === "" ? id : title;
  return (
    <ItemRow
      name={
        <>
          <OpenItemButton item={formatItemAddress("api", id)} className="cut">
            <VisibleText text={name} names={common.hidden} />
          </OpenItemButton>
          <SourceId id={id} name={name} />
        </>
      }
      chips={
        <>
          {!isConfirmed && <Chip tone="ask">{text.confirmFirst}</Chip>}
          {!isEnabled && <Chip>{text.disabled}</Chip>}
          {counts.waiting > 0 && <Chip tone="ask">{text.waiting(counts.waiting)}</Chip>}
        </>
      }
    >
      <p className="text-small text-ink-muted tabular-nums [overflow-wrap:anywhere]">
        {[text.tools(counts.tools, counts.operations), address].filter((fact) => fact !== "").join(" · ")}
      </p>
    </ItemRow>
  );
}
