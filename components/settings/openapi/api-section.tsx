"use client";
/** The APIs whose operations are tools: a list with a button that adds one, or the page of one. */
import { useState } from "react";
import type { ApiView, OpenApiState } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemRow } from "../item-row";
import { OpenItemButton } from "../open-item-button";
import { LoadedQuery } from "../project-section";
import { SourceId } from "../source-id";
import { AddApi } from "./add-api";
import { formatApiAddress } from "./api-address";
import { ApiPage } from "./api-page";
import { useChange } from "../use-change";
import { apiErrorText } from "./api-error-text";
import { useCommandQuery } from "../../state/use-command-query";
import { SectionTitle } from "../fields/section-title";

const useApis = () => useCommandQuery("openapi.state", {});

export function ApiSection() {
  const { apis: text } = useFullMessages();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <section aria-label={text.title} className="mb-8 grid gap-4">
      <div>
        <SectionTitle title={text.title} />
        <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
      </div>
      <LoadedQuery query={useApis()} failed={text.failed}>
        {(state) => <ApiList state={state} />}
      </LoadedQuery>
      <div>
        <Button onClick={() => setIsAdding(true)}>{text.add}</Button>
      </div>
      {isAdding && <AddApi onClose={() => setIsAdding(false)} />}
    </section>
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
        <ul
          aria-label={text.title}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
        >
          {apis.map((api) => (
            <ApiRow key={api.id} api={api} />
          ))}
        </ul>
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
          <OpenItemButton item={formatApiAddress(id)} className="cut">
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

export function OpenApi({ id }: { readonly id: string }) {
  const { apis: text } = useFullMessages();
  return (
    <LoadedQuery query={useApis()} failed={text.failed}>
      {({ apis }) => {
        const api = apis.find((one) => one.id === id);
        return api === undefined ? <p>{text.missing}</p> : <ApiPage key={id} api={api} />;
      }}
    </LoadedQuery>
  );
}
