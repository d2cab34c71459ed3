"use client";
/** Text field of the composer. */
import type { KeyboardEvent, RefObject } from "react";
import { useMessages } from "../../messages/messages";
import { classes } from "../../ui/theme/classes";
import type { ComposerProps } from "./composer";
import type { MentionMenuState } from "./references/use-mentions";
import type { PasteLimit } from "./use-paste-limit";

interface MessageFieldProps extends Pick<ComposerProps, "state" | "sendKey"> {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** Id of the menu of mentions. */
  readonly menuId: string;
  readonly text: string;
  readonly mentions: MentionMenuState;
  readonly placeholder: string;
  readonly isCommand: boolean;
  readonly handlers: PasteLimit["handlers"];
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly onText: (text: string) => void;
  /** Time stamp of the event that ended the composition of an input method. */
  readonly onCompositionEnd: (timeStamp: number) => void;
}

export function MessageField({ area, menuId, text, state, mentions, sendKey, isCommand, ...props }: MessageFieldProps) {
  return (
    <textarea
      ref={area}
      rows={1}
      value={text}
      readOnly={state === "readOnly"}
      aria-label={useMessages().composer.label}
      aria-controls={mentions.isOffering ? menuId : undefined}
      aria-activedescendant={mentions.isOffering ? `${menuId}-${mentions.index}` : undefined}
      placeholder={props.placeholder}
      enterKeyHint={sendKey === "enter" ? "send" : "enter"}
      onChange={({ target }) => {
        props.onText(target.value);
        mentions.setCaret(target.selectionStart);
      }}
      onSelect={({ currentTarget }) => mentions.setCaret(currentTarget.selectionEnd)}
      {...props.handlers}
      onKeyDown={props.onKeyDown}
      onCompositionEnd={(event) => props.onCompositionEnd(event.timeStamp)}
      className={classes(
        "block w-full resize-none bg-transparent px-4 pt-3 text-talk text-ink outline-none max-tablet:text-field",
        // A placeholder that wraps would let the field shrink with the first character.
        state === "idle" &&
          "placeholder-shown:overflow-hidden placeholder-shown:text-ellipsis placeholder-shown:whitespace-nowrap",
        isCommand && "font-mono",
      )}
    />
  );
}
