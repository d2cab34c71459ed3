/** Model facts reported by the server: a table, and long texts in disclosures. */
import type { ReactNode } from "react";
import type { ModelDetails, ModelInfo } from "@/lib/models";
import { useFullWords } from "../../words/full-words";
import { Fold, RawText } from "../fold";
import { SettingGroup } from "../setting-field";
import { capabilityWords } from "./model-facts";

export interface ModelFactsProps {
  readonly model: ModelInfo;
  readonly details: ModelDetails | undefined;
}

export function ModelFacts({ model, details }: ModelFactsProps) {
  const words = useFullWords();
  const text = words.settings.models;
  const { figures } = words;
  const abilities = [
    ...(model.capabilities.includes("completion") ? [text.capabilities.completion] : []),
    ...capabilityWords(words, model.capabilities),
  ];
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text.size, model.size === undefined || model.size === 0 ? "" : figures.bytes(model.size)],
    [text.parameters, model.parameters ?? ""],
    [text.quantization, model.quantization ?? ""],
    [text.family, model.family ?? ""],
    [
      text.ownWindow,
      model.contextLength === undefined ? "" : words.settings.model.tokens(figures.number(model.contextLength)),
    ],
    [text.abilities, abilities.join(" · ")],
  ];
  const texts = [
    [text.settings, details?.parameters ?? ""],
    [text.template, details?.template ?? ""],
    [text.license, details?.license ?? ""],
  ] as const;
  return (
    <SettingGroup title={words.common.details}>
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
              <Fold key={name} title={name}>
                <RawText text={raw.trim()} />
              </Fold>
            ))}
        </div>
      )}
    </SettingGroup>
  );
}
