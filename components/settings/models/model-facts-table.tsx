/** Model facts reported by the server: a table, and long texts in disclosures. */
import type { ReactNode } from "react";
import type { ModelDetails, ModelInfo } from "@/lib/models/models";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../item-section/disclosure";
import { SettingGroup } from "../fields/setting-row";
import { capabilityNames } from "./model-facts";

interface ModelFactsTableProps {
  readonly model: ModelInfo;
  readonly details: ModelDetails | undefined;
}

export function ModelFactsTable({ model, details }: ModelFactsTableProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { figures } = messages;
  const abilities = [
    ...(model.capabilities.includes("completion") ? [text.capabilities.completion] : []),
    ...capabilityNames(messages, model.capabilities),
  ];
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text.size, model.size === undefined || model.size === 0 ? "" : figures.bytes(model.size)],
    [text.parameters, model.parameters ?? ""],
    [text.quantization, model.quantization ?? ""],
    [text.family, model.family ?? ""],
    [
      text.ownWindow,
      model.contextLength === undefined ? "" : messages.settings.model.tokens(figures.number(model.contextLength)),
    ],
    [text.abilities, abilities.join(" · ")],
    [text.parser, details?.parser ?? ""],
    [text.renderer, details?.renderer ?? ""],
  ];
  const texts = [
    [text.settings, details?.parameters ?? ""],
    [text.template, details?.template ?? ""],
    [text.license, details?.license ?? ""],
  ] as const;
  return (
    <SettingGroup title={messages.common.details}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 py-3">
        {facts
          .filter(([, fact]) => fact !== "")
          .map(([name, fact]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-ink-muted">{name}</dt>
              <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{fact}</dd>
            </div>
          ))}
      </dl>
      {texts.some(([, raw]) => raw !== "") && (
        <div className="grid gap-1 py-3">
          {texts
            .filter(([, raw]) => raw.trim() !== "")
            .map(([name, raw]) => (
              <Disclosure key={name} title={name}>
                <RawText text={raw.trim()} />
              </Disclosure>
            ))}
        </div>
      )}
    </SettingGroup>
  );
}
