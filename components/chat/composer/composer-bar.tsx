"use client";
/** The row under the text: mode, model, context, Send and Stop. */
import { ArrowUp, ChevronDown, Square } from "lucide-react";
import { useRef } from "react";
import { useWords } from "@/components/words/words";
import type { ModelInfo } from "@/lib/models";
import { type Mode, modes } from "@/lib/policy";
import { classes } from "../../ui/classes";
import { Icon } from "../../ui/icon";
import { Menu, type MenuItem } from "../../ui/menu";
import { Ring } from "../../ui/meter";
import { Tooltip } from "../../ui/tooltip";

const pill =
  "flex h-7 min-w-0 items-center gap-1.5 rounded-control px-2 text-base transition-colors hover:bg-hover data-[state=open]:bg-hover max-tablet:h-11";

const quietText = "text-ink-muted hover:text-ink data-[state=open]:text-ink";

export function ModeMenu({ mode, onMode }: { readonly mode: Mode; readonly onMode: (mode: Mode) => void }) {
  const { composer } = useWords();
  const items = modes.map(
    (id): MenuItem => ({
      id,
      label: composer.modes[id].name,
      note: composer.modes[id].note,
      danger: id === "full",
      separated: id === "full",
      onSelect: () => onMode(id),
    }),
  );
  return (
    <Menu
      items={items}
      name={composer.mode}
      chosen={mode}
      side="above"
      className={classes(pill, mode === "full" ? "text-danger" : quietText)}
    >
      <span className="cut">{composer.modes[mode].name}</span>
      <Icon of={ChevronDown} size={14} />
    </Menu>
  );
}

export interface ModelMenuProps {
  /** Empty = none chosen. */
  readonly model: string;
  readonly models: readonly ModelInfo[];
  readonly onModel: (name: string) => void;
}

export function ModelMenu({ model, models, onModel }: ModelMenuProps) {
  const { composer, figures } = useWords();
  const items = models.map((info): MenuItem => {
    const noTools = info.capabilities.length > 0 && !info.capabilities.includes("tools");
    const facts = [
      info.parameters,
      info.quantization,
      info.size === undefined ? undefined : figures.bytes(info.size),
      noTools ? composer.noTools : undefined,
    ];
    const note = facts.filter((fact) => fact !== undefined && fact !== "").join(" · ");
    return { id: info.name, label: info.name, ...(note === "" ? {} : { note }), onSelect: () => onModel(info.name) };
  });
  if (items.length === 0) return <span className="px-2 text-ink-muted">{model === "" ? composer.noModel : model}</span>;
  return (
    <Menu
      items={items}
      name={composer.model}
      chosen={model}
      side="above"
      align="end"
      className={classes(pill, quietText)}
    >
      <span className="cut">{model === "" ? composer.noModel : model}</span>
      <Icon of={ChevronDown} size={14} />
    </Menu>
  );
}

export interface ContextUse {
  /** Share of the window in use, 0 to 1; null = not known yet. */
  readonly share: number | null;
  readonly windowTokens: number;
}

export function ContextRing({ share, windowTokens }: ContextUse) {
  const { composer, figures } = useWords();
  const anchor = useRef<HTMLSpanElement>(null);
  const label =
    share === null ? composer.contextUnknown : composer.context(figures.percent(share), figures.tokens(windowTokens));
  return (
    <>
      <span ref={anchor} className="flex h-7 items-center gap-1.5 px-2 text-base text-ink-muted tabular-nums">
        <Ring share={share} label={label} />
        {share !== null && figures.percent(share)}
      </span>
      <Tooltip anchor={anchor}>{label}</Tooltip>
    </>
  );
}

export interface SendButtonsProps {
  readonly canSend: boolean;
  /** It cannot send now; a press says why. */
  readonly explains: boolean;
  readonly running: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

const round =
  "relative grid size-7 shrink-0 place-items-center rounded-[7px] transition-[opacity,background-color] before:absolute before:-inset-2 before:content-[''] tablet:before:hidden max-tablet:size-8";

/** Send becomes Stop while a run goes; with a text there are both. */
export function SendButtons({ canSend, explains, running, onSend, onStop }: SendButtonsProps) {
  const { composer } = useWords();
  const stop = useRef<HTMLButtonElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const showsSend = !running || canSend;
  return (
    <>
      {running && (
        <>
          <button
            ref={stop}
            type="button"
            aria-label={composer.stop}
            onClick={onStop}
            className={classes(
              round,
              "ml-1",
              showsSend ? "bg-ink/10 text-ink hover:bg-ink/16" : "bg-ink text-canvas hover:bg-ink/85",
            )}
          >
            <Square size={11} fill="currentColor" strokeWidth={0} aria-hidden />
          </button>
          <Tooltip anchor={stop} shortcut="Esc">
            {composer.stop}
          </Tooltip>
        </>
      )}
      {showsSend && (
        <>
          <button
            ref={send}
            type="button"
            aria-label={composer.send}
            disabled={!canSend && !explains}
            data-blocked={explains || undefined}
            onClick={onSend}
            className={classes(
              round,
              "ml-1 bg-ink text-canvas hover:bg-ink/85 disabled:bg-ink/25 data-blocked:bg-ink/25",
            )}
          >
            <Icon of={ArrowUp} />
          </button>
          <Tooltip anchor={send} shortcut="Enter">
            {composer.send}
          </Tooltip>
        </>
      )}
    </>
  );
}
