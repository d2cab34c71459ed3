"use client";
/** The row below the text: mode menu, Send and Stop. */
import { ArrowUp, ChevronDown, Square } from "lucide-react";
import { type RefObject, useRef } from "react";
import { useMessages } from "../../messages/messages";
import { type Mode, modes } from "@/lib/permissions/policy";
import { useServerState } from "../../state/use-server-state";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Menu, type MenuItem } from "../../ui/controls/menu";
import { Tooltip } from "../../ui/overlays/tooltip";
import { pillClass, quietTextClass } from "./pill-class";
import { menuAttribute } from "./use-composer-handle";
import { opensKeyboard } from "../../ui/browser/focus";

export interface ModeMenuProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** The message field; receives the focus after a choice. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

export function ModeMenu({ mode, onMode, field }: ModeMenuProps) {
  const { composer } = useMessages();
  const isSandboxOff = (useServerState("settings")?.sandbox ?? "off") === "off";
  const choose = (id: Mode): void => {
    onMode(id);
    // On a touch screen, focus would open the keyboard.
    if (!opensKeyboard()) field.current?.focus();
  };
  const items = modes.map(
    (id): MenuItem => ({
      id,
      label: composer.modes[id].name,
      note: `${composer.modes[id].note}${id === "full" && !isSandboxOff ? composer.fullInSandbox : ""}`,
      danger: id === "full",
      separated: id === "full",
      onSelect: () => choose(id),
    }),
  );
  return (
    <Menu
      {...menuAttribute("mode")}
      items={items}
      name={composer.mode}
      chosen={mode}
      side="above"
      className={classes(pillClass, "shrink-0", mode === "full" ? "text-danger" : quietTextClass)}
    >
      <span className="cut">{composer.modes[mode].name}</span>
      <Icon of={ChevronDown} size={14} />
    </Menu>
  );
}

interface SendButtonsProps {
  readonly canSend: boolean;
  /** Sending is impossible now; a press shows the reason. */
  readonly explains: boolean;
  readonly running: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

const roundButtonClass =
  "relative grid size-7 shrink-0 place-items-center rounded-[7px] transition-[opacity,background-color] before:absolute before:-inset-2 before:content-[''] tablet:before:hidden max-tablet:size-8";

/** Send becomes Stop while a run is open; with a text both are shown. */
export function SendButtons({ canSend, explains, running, onSend, onStop }: SendButtonsProps) {
  const { composer } = useMessages();
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
              roundButtonClass,
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
              roundButtonClass,
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
