"use client";
/** Panel of the model menu: models by server with their facts, and the settings of the chosen one. */
import { Check, ChevronRight, Settings2, SlidersHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { connectionDisplayName } from "../../messages/connection-name";
import { useMessages, type Messages } from "../../messages/messages";
import type { ModelInfo } from "@/lib/models/models";
import { Chip } from "../../ui/indicators/chip";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { TextField } from "../../ui/controls/text-field";
import { VerdictChip } from "../../ui/indicators/verdict-chip";
import { formatGpuShare } from "./format-gpu-share";
import { groupModels, type ListedModels, type ModelGroup, readsCallsFromText } from "./model-groups";
import type { ModelMenuProps } from "./model-menu";
import { ModelUsePanel } from "./model-use-panel";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { withBasePath } from "../../state/base-path";

interface ModelPanelProps extends ModelMenuProps {
  readonly onClose: () => void;
}

/** A row below the models. */
const footerRowClass =
  "flex min-h-9 items-center gap-2 border-t border-line px-3 text-left outline-none hover:bg-hover focus-visible:bg-hover max-tablet:min-h-11";

/** Minimum number of models that shows the search field. */
const searchFieldFrom = 8;

export function ModelPanel(props: ModelPanelProps) {
  const { models, connections, use, isLocked, loaded, onClose } = props;
  const messages = useMessages();
  const [level, setLevel] = useState<"list" | "use">("list");
  const [query, setQuery] = useState("");
  const [listed, setListed] = useState<ListedModels>({});
  const panel = useRef<HTMLDivElement>(null);
  const addListed = (id: string, list: readonly ModelInfo[]): void => setListed((all) => ({ ...all, [id]: list }));
  useLocalModels(props, addListed);
  // Initial focus: the search field, else the chosen model.
  useEffect(() => {
    if (level === "list") panel.current?.querySelector<HTMLElement>("input, [aria-checked=true]")?.focus();
  }, [level]);
  if (level === "use" && use !== null)
    return <ModelUsePanel model={props.model} use={use} isLocked={isLocked} onBack={() => setLevel("list")} />;
  const groups = groupModels({ installed: models, connections, listed, query }, messages);
  const count = models.length + connections.length + Object.values(listed).flat().length;
  const slow = loaded === null ? null : formatGpuShare(loaded.vramShare, messages);
  return (
    <div ref={panel} className="flex flex-col" onKeyDown={moveRowFocus}>
      {isLocked && <p className="px-3 pt-2 text-small text-ink-muted">{messages.models.lockedNote}</p>}
      {count >= searchFieldFrom && (
        <div className="p-1.5 pb-0.5">
          <TextField
            value={query}
            placeholder={messages.models.find}
            aria-label={messages.models.find}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      )}
      <div role="menu" aria-label={messages.composer.model} className="max-h-[min(34rem,60dvh)] overflow-y-auto p-1">
        {groups.length === 0 && <p className="px-2 py-3 text-ink-muted">{messages.models.noMatch}</p>}
        {groups.map((group) => (
          <ModelGroupSection
            key={group.connection?.id ?? ""}
            group={group}
            showsName={connections.length > 0}
            {...props}
            onListed={addListed}
            onChosen={onClose}
          />
        ))}
      </div>
      {slow !== null && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">
          <span className="block font-medium">{slow}</span>
          {messages.models.gpuNote}
        </p>
      )}
      {use !== null && (
        <button type="button" data-menu-row onClick={() => setLevel("use")} className={footerRowClass}>
          <Icon of={SlidersHorizontal} size={14} className="text-ink-muted" />
          <span className="min-w-0 flex-1 cut">{messages.models.useTitle}</span>
          <span className="text-small text-ink-muted tabular-nums">
            {messages.models.modes[use.state.toolMode]} · {messages.figures.tokens(use.state.numCtx)}
          </span>
          <Icon of={ChevronRight} size={14} className="text-ink-faint" />
        </button>
      )}
      <a href={withBasePath("/settings/model")} data-menu-row onClick={onClose} className={footerRowClass}>
        <Icon of={Settings2} size={14} className="text-ink-muted" />
        <span className="min-w-0 flex-1 cut">{messages.models.manage}</span>
      </a>
    </div>
  );
}

/** Lists the models of the user's own servers at once. The link remains for a server that does not answer. */
function useLocalModels(
  { connections, loadModels }: Pick<ModelMenuProps, "connections" | "loadModels">,
  onListed: (connection: string, models: readonly ModelInfo[]) => void,
): void {
  const listAll = useEffectEvent((): void => {
    // The models of an Ollama are pushed.
    for (const { id, local, server } of connections)
      if (local && server === undefined)
        void loadModels(id, { isQuiet: true }).then((models) => {
          if (models !== null) onListed(id, models);
        });
  });
  useEffect(() => listAll(), []);
}

/** Arrow keys move through the rows, also from the field; Enter in the field selects the first row. */
function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  // Enter and arrow keys in a candidate list belong to the input method.
  if (isForInputMethod(event.nativeEvent)) return;
  const chooses = event.key === "Enter" && event.target instanceof HTMLInputElement;
  if (chooses) event.currentTarget.querySelector<HTMLElement>("[role=menuitemradio]:not(:disabled)")?.click();
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const rows = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled), [data-menu-row]"),
  ];
  const now = rows.findIndex((row) => row === document.activeElement);
  event.preventDefault();
  rows[(now + (event.key === "ArrowDown" ? 1 : now < 0 ? 0 : -1) + rows.length) % rows.length]?.focus();
}

interface ModelGroupProps extends ModelMenuProps {
  readonly group: ModelGroup;
  /** There are several groups: each shows its server's name. */
  readonly showsName: boolean;
  readonly onListed: (connection: string, models: readonly ModelInfo[]) => void;
  readonly onChosen: () => void;
}

function ModelGroupSection({ group, showsName, onListed, onChosen, ...menu }: ModelGroupProps) {
  const messages = useMessages();
  const [busy, setBusy] = useState(false);
  const { connection } = group;
  const id = connection?.id ?? null;
  const name = connection === null ? messages.connections.ollama : connectionDisplayName(connection, messages);
  const list = (): void => {
    if (id === null) return;
    setBusy(true);
    void menu.loadModels(id).then((models) => {
      setBusy(false);
      if (models !== null) onListed(id, models);
    });
  };
  return (
    <div
      role="group"
      aria-label={name}
      className="not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1"
    >
      {showsName && (
        <p className="flex items-center gap-2 px-2 py-1 text-small text-ink-muted">
          <span className="min-w-0 cut font-medium">{name}</span>
          {connection?.server?.status === "unreachable" && <Chip tone="ask">{messages.connections.offline}</Chip>}
          {connection !== null && !connection.local && <Chip tone="ask">{messages.connections.cloud}</Chip>}
        </p>
      )}
      {group.models.map((info) => (
        <ModelRow
          key={info.name}
          info={info}
          isChosen={info.name === menu.model && menu.connection === id}
          window={
            info.name === menu.model && menu.connection === id ? (menu.use?.state.numCtx ?? info.window) : info.window
          }
          isLocked={menu.isLocked}
          // For a connection, the group header shows it for all models.
          showsCloud={connection === null}
          onSelect={() => {
            onChosen();
            menu.onModel(info.name, id);
          }}
        />
      ))}
      {!group.isComplete && (
        <button
          type="button"
          role="menuitem"
          disabled={busy}
          onClick={list}
          className="flex min-h-7 w-full items-center rounded-control px-2 text-left text-small text-accent hover:bg-hover max-tablet:min-h-11"
        >
          {busy ? messages.models.listing : messages.models.listAll}
        </button>
      )}
    </div>
  );
}

interface ModelRowProps {
  readonly info: ModelInfo;
  readonly isChosen: boolean;
  /** tokens; window that the session has or would get; undefined = not certain */
  readonly window: number | undefined;
  readonly isLocked: boolean;
  readonly showsCloud: boolean;
  readonly onSelect: () => void;
}

function ModelRow({ info, isChosen, window, isLocked, showsCloud, onSelect }: ModelRowProps): ReactNode {
  const messages = useMessages();
  const facts = formatModelFacts(info, window, messages);
  const verdict = info.note?.doctor?.verdict;
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      disabled={isLocked && !isChosen}
      onClick={onSelect}
      className="flex w-full items-start gap-2 rounded-control px-2 py-1 text-left outline-none hover:bg-hover focus-visible:bg-hover active:bg-pressed disabled:opacity-45 max-tablet:py-2.5"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">{info.name}</span>
          {verdict !== undefined && <VerdictChip verdict={verdict} />}
          {showsCloud && info.cloud && <Chip tone="ask">{messages.connections.cloud}</Chip>}
        </span>
        {facts !== "" && <span className="block text-small text-ink-muted tabular-nums">{facts}</span>}
      </span>
      <Icon of={Check} className={classes("mt-0.5", !isChosen && "invisible")} />
    </button>
  );
}

/** Formats parameters, quantization, size, window, measured speed and tool mode; what is not reported is left out. */
function formatModelFacts(info: ModelInfo, window: number | undefined, { figures, models }: Messages): string {
  const { note, size } = info;
  const facts = [
    info.parameters,
    info.quantization,
    size === undefined ? undefined : figures.bytes(size),
    window === undefined ? undefined : models.windowOf(figures.tokens(window)),
    note?.writePerSecond === undefined ? undefined : figures.speed(note.writePerSecond),
    readsCallsFromText(info) ? models.callsAsText : undefined,
  ];
  return facts.filter((fact) => fact !== undefined && fact !== "").join(" · ");
}
