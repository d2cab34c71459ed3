"use client";
/** The search engines in the order in which they are used: each with its switch, what is sent where, key or address, test. */
import { useState, type FormEvent, useId } from "react";
import type { WebProviderId, WebProviderState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { Chip } from "../../ui/indicators/chip";
import { SettingGroup } from "../fields/setting-row";
import { MoveButtons } from "../item-section/move-buttons";
import { EngineTest } from "./engine-test";
import { isReady } from "./is-ready";
import { useChange, useListChange } from "../../state/use-change";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";

const exampleAddress = "http://127.0.0.1:8888";

interface EngineAddressProps {
  readonly provider: WebProviderState;
  /** Called when the typed address begins or ceases to differ from the stored one. */
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** Address of the owner's own search server. */
function EngineAddress({ provider: { id, address }, onUnsaved }: EngineAddressProps) {
  const { web: text, common } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const [typed, setTyped] = useState(address);
  const noteId = useId();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void perform("web.set", { searxngAddress: typed });
  };
  return (
    <form onSubmit={save} className="grid min-w-0 flex-1 basis-72 gap-1">
      <div className="flex gap-2">
        <TextField
          mono
          inputMode="url"
          aria-label={text.addressOf(text.names[id])}
          aria-describedby={noteId}
          placeholder={exampleAddress}
          value={typed}
          maxLength={500}
          onChange={(event) => {
            setTyped(event.target.value);
            onUnsaved(event.target.value.trim() !== address);
          }}
        />
        <Button type="submit" disabled={typed.trim() === address}>
          {common.save}
        </Button>
      </div>
      <p id={noteId} className="text-small text-ink-muted">
        {text.addressNote}
      </p>
    </form>
  );
}

/** API key of a search engine: write-only, a stored key is never shown. */
function EngineKey({ provider: { id, hasKey } }: { readonly provider: WebProviderState }) {
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

interface EngineListProps {
  readonly providers: readonly WebProviderState[];
  /** The web tools are on. */
  readonly isOn: boolean;
}

export function EngineList({ providers, isOn }: EngineListProps) {
  const { web: text } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const order = providers.map(({ id, isEnabled }) => ({ id, isEnabled }));
  const { change } = useListChange(order, (next) => perform("web.set", { providers: next }));
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
          <EngineRow key={provider.id} provider={provider} order={order} change={change} />
        ))}
      </ol>
    </SettingGroup>
  );
}

type EngineOrder = readonly Pick<WebProviderState, "id" | "isEnabled">[];

interface EngineOrderProps {
  readonly order: EngineOrder;
  readonly change: ReturnType<typeof useListChange<EngineOrder[number]>>["change"];
}

function EngineRow({ provider, order, change }: EngineOrderProps & { readonly provider: WebProviderState }) {
  const { web: text } = useFullMessages();
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
          onChange={(on) => void change((list) => list.map((one) => (one.id === id ? { id, isEnabled: on } : one)))}
        />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-medium">{name}</span>
            {isEnabled && missing !== null && <Chip tone="ask">{missing}</Chip>}
          </p>
          <p className="max-w-[60ch] text-ink-muted">{text.sends[id]}</p>
        </div>
        <MoveEngine id={id} order={order} change={change} />
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

function MoveEngine({ id, order, change }: EngineOrderProps & { readonly id: WebProviderId }) {
  const { web: text } = useFullMessages();
  const name = text.names[id];
  const move = (step: number): void =>
    void change((list) => {
      const index = list.findIndex((one) => one.id === id);
      const moved = list.toSpliced(index, 1);
      return moved.toSpliced(index + step, 0, ...list.slice(index, index + 1));
    });
  return (
    <MoveButtons
      index={order.findIndex((one) => one.id === id)}
      count={order.length}
      names={{ up: text.moveUp(name), down: text.moveDown(name) }}
      onMove={move}
    />
  );
}
