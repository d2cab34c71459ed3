"use client";
/** The search engines in the order in which they are used: each with its switch, what is sent where, key or address, test. */
import { useState } from "react";
import type { WebProviderId, WebProviderState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { Chip } from "../../ui/indicators/chip";
import { SettingGroup } from "../fields/setting-row";
import { MoveButtons } from "../move-buttons";
import { EngineAddress } from "./engine-address";
import { EngineKey } from "./engine-key";
import { EngineTest } from "./engine-test";
import { isReady } from "./is-ready";
import { useChange } from "../use-change";

interface EngineListProps {
  readonly providers: readonly WebProviderState[];
  /** The web tools are on. */
  readonly isOn: boolean;
}

export function EngineList({ providers, isOn }: EngineListProps) {
  const { web: text } = useFullMessages();
  const hasEngine = providers.some((provider) => provider.isEnabled && isReady(provider));
  return (
    <SettingGroup title={text.engines}>
      <p className="py-3 text-ink-muted">{text.enginesNote}</p>
      {isOn && !hasEngine && (
        <p role="status" className="py-3 text-ask">
          {text.noEngine}
        </p>
      )}
      <ol aria-label={text.engines} className="divide-y divide-line">
        {providers.map((provider) => (
          <EngineRow key={provider.id} provider={provider} providers={providers} />
        ))}
      </ol>
    </SettingGroup>
  );
}

const toOrder = (providers: readonly WebProviderState[]) => providers.map(({ id, isEnabled }) => ({ id, isEnabled }));

function EngineRow({
  provider,
  providers,
}: {
  readonly provider: WebProviderState;
  readonly providers: readonly WebProviderState[];
}) {
  const { web: text } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const { id, isEnabled, needs, address } = provider;
  const [unsavedOver, setUnsavedOver] = useState<string | null>(null);
  const name = text.names[id];
  const missing = isReady(provider) ? null : needs === "key" ? text.needsKey : text.needsAddress;
  return (
    <li className="grid gap-2.5 py-4">
      <div className="flex items-start gap-3">
        <Switch
          aria-label={text.use(name)}
          className="mt-0.5"
          on={isEnabled}
          onChange={(on) =>
            void perform("web.set", {
              providers: toOrder(providers).map((one) => (one.id === id ? { id, isEnabled: on } : one)),
            })
          }
        />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-medium">{name}</span>
            {isEnabled && missing !== null && <Chip tone="ask">{missing}</Chip>}
          </p>
          <p className="max-w-[60ch] text-ink-muted">{text.sends[id]}</p>
        </div>
        <MoveEngine id={id} providers={providers} />
      </div>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 tablet:pl-12">
        {needs === "key" && <EngineKey provider={provider} />}
        {needs === "address" && (
          <EngineAddress
            key={address}
            provider={provider}
            onUnsaved={(isUnsaved) => setUnsavedOver(isUnsaved ? address : null)}
          />
        )}
        <EngineTest key={`test ${address}`} provider={provider} isUnsaved={unsavedOver === address} />
      </div>
    </li>
  );
}

function MoveEngine({
  id,
  providers,
}: {
  readonly id: WebProviderId;
  readonly providers: readonly WebProviderState[];
}) {
  const { web: text } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const index = providers.findIndex((one) => one.id === id);
  const name = text.names[id];
  const move = (step: number): void => {
    const order = toOrder(providers);
    const [moved] = order.splice(index, 1);
    if (moved !== undefined) order.splice(index + step, 0, moved);
    void perform("web.set", { providers: order });
  };
  return (
    <MoveButtons
      index={index}
      count={providers.length}
      names={{ up: text.moveUp(name), down: text.moveDown(name) }}
      onMove={move}
    />
  );
}
