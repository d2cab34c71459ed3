"use client";
/** The message field: grows with its text, stores its draft, ignores the Enter of an input method. */
import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from "react";
import { useWords } from "@/components/words/words";
import type { ImageRef } from "@/lib/content";
import type { Intent, QueuedMessage } from "@/lib/event";
import type { QueuedId } from "@/lib/id";
import type { Mode } from "@/lib/policy";
import { limits, type Settings } from "@/lib/settings";
import { classes } from "../../ui/classes";
import { SettingsLink } from "../settings-link";
import { ModeMenu, type ModeMenuProps, SendButtons } from "./composer-bar";
import { composerKey, keyPressed, makeTwice } from "./composer-keys";
import { ImageChips, type LoadImage } from "./image-chips";
import { ModelMenu, type ModelMenuProps } from "./model-menu";
import { QueueChips } from "./queue-chips";
import { type SlashCommand, type SlashName, slashCommand, takesText } from "./slash";
import { type ComposerHandle, useComposerHandle } from "./use-composer-handle";
import { useDraft } from "./use-draft";
import { useEarlySend, useEarlyText } from "./use-early-text";
import { useGrowing } from "./use-growing";
import { type AddedImage, useImages } from "./use-images";
import { usePasteLimit } from "./use-paste-limit";
import { useSlash } from "./use-slash";

const SlashMenu = lazy(async () => ({ default: (await import("./slash-menu")).SlashMenu }));

/** waiting = an approval waits; noModel and offline keep the draft and do not send. */
export type ComposerState = "idle" | "running" | "waiting" | "noModel" | "offline" | "readOnly";

export interface ComposerProps {
  readonly modelMenu: ModelMenuProps;
  /** Storage key of the draft: the session's id, or another key while there is no session. */
  readonly draftKey: string;
  readonly state: ComposerState;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Context usage, shown beside Send. */
  readonly context?: ReactNode;
  readonly sendKey: Settings["sendKey"];
  readonly queue: readonly QueuedMessage[];
  readonly isSummarising?: boolean;
  readonly onEditQueued: (id: QueuedId, text: string) => void;
  /** False = already taken by the run, or an error was reported to the user. */
  readonly onRemoveQueued: (id: QueuedId) => Promise<boolean>;
  /** Sends a queued message now. */
  readonly onSendQueued: (message: QueuedMessage) => void;
  /** False = rejected; the text is restored. */
  readonly onSend: (text: string, intent: Intent, images: readonly ImageRef[]) => Promise<boolean>;
  /** Stores and loads images. Absent = images cannot be added here. */
  readonly imageStore?: ImageStore;
  /** Executes a slash command; false = rejected. Null = no session to command yet. */
  readonly onCommand: ((command: SlashCommand) => Promise<boolean>) | null;
  readonly onStop: () => void;
  /** Called on double Esc in an empty field while nothing runs. */
  readonly onTree?: () => void;
  /** The user's own messages, oldest first, for the arrow keys. */
  readonly history: readonly string[];
  readonly handle?: RefObject<ComposerHandle | null>;
}

export interface ImageStore {
  readonly add: (file: File) => Promise<AddedImage>;
  readonly load: LoadImage;
}

const lineHeightPx = 24;
const linesMax = 10;

/** Remounts per session, so that each has its own draft. */
export const Composer = (props: ComposerProps) => <Field key={props.draftKey} {...props} />;

function Field(props: ComposerProps) {
  const { draftKey, state, mode, sendKey, onSend, onCommand, onStop, history, handle, imageStore } = props;
  const words = useWords();
  const [text, setText] = useDraft(draftKey);
  const [historyIndex, setHistoryIndex] = useState<number | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  const [isRefused, setRefused] = useState(false);
  const slashId = useId();
  const { names: slashes, chosen: slash, move, dismiss } = useSlash(text, onCommand !== null);
  const [isDoublePress] = useState(makeTwice);
  const images = useImages(draftKey, imageStore?.add);
  const { keptOut, forget, handlers } = usePasteLimit(images);
  const refusal = isRefused && (state === "noModel" || state === "offline") ? words.composer.refused[state] : null;
  const running = state === "running" || state === "waiting";
  const canSend =
    text.trim() !== "" && !images.isAdding && text.length <= limits.promptMaxChars && (state === "idle" || running);
  const early = useEarlyText(draftKey, area, setText);
  useComposerHandle(handle, area, text, setText);
  useGrowing(area, text, linesMax * lineHeightPx);
  const send = (intent: Intent, sent: string = text): void => {
    if (!canSend) return setRefused(text.trim() !== "");
    setRefused(false);
    const command = onCommand === null ? null : slashCommand(sent);
    setText("");
    setHistoryIndex(null);
    const attached = command === null ? images.take() : [];
    const sending = command === null || onCommand === null ? onSend(sent.trim(), intent, attached) : onCommand(command);
    void sending.then((taken) => {
      if (!taken && area.current?.value === "") setText(sent);
      if (!taken) images.putBack(attached);
    });
  };
  const sendNow = (): void => send(running ? "steer" : "prompt");
  useEarlySend(early, canSend, sendNow);
  const pick = (name: SlashName): void => (takesText(name) ? setText(`/${name} `) : send("prompt", `/${name}`));
  const sendQueued = (message: QueuedMessage): void => {
    props.onSendQueued(message);
    // The pressed button is gone. On touch devices focus would open the screen keyboard.
    if (matchMedia("(pointer: fine)").matches) area.current?.focus();
  };
  const pull = (): void => {
    const last = props.queue.at(-1);
    if (last === undefined) return;
    void props.onRemoveQueued(last.id).then((removed) => {
      if (!removed) return;
      setText(area.current?.value === "" ? last.text : `${last.text}\n${area.current?.value ?? ""}`);
      images.putBack(last.images ?? []);
    });
  };
  const stepHistory = (by: -1 | 1): boolean => {
    const next = (historyIndex ?? history.length) + by;
    if (next < 0) return false;
    const found = history[next];
    setHistoryIndex(found === undefined ? null : next);
    setText(found ?? "");
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const meaning = composerKey(keyPressed(event, compositionEndedAt.current), {
      sendKey,
      running,
      text,
      inHistory: historyIndex !== null && history[historyIndex] === text,
      offered: slash,
      hasQueue: props.queue.length > 0,
    });
    if (meaning === "escape" && text === "" && state === "idle" && isDoublePress(event.timeStamp)) {
      // Otherwise the same key would close the opened dialog.
      event.preventDefault();
      props.onTree?.();
    }
    if (
      meaning === "text" ||
      meaning === "escape" ||
      ((meaning === "older" || meaning === "newer") && !stepHistory(meaning === "older" ? -1 : 1))
    )
      return;
    event.preventDefault();
    if (meaning === "send") sendNow();
    else if (meaning === "queue") send("followUp");
    else if (meaning === "stop") onStop();
    else if (meaning === "pull") pull();
    else if (meaning === "dismiss") dismiss();
    else if (meaning === "up" || meaning === "down") move(meaning === "up" ? -1 : 1);
    else if (meaning === "complete" && slash !== null) pick(slash);
  };
  return (
    <div data-composer data-mode={mode} data-state={state} className="mx-auto w-full max-w-[760px]">
      {slashes.length > 0 && (
        <Suspense>
          <SlashMenu id={slashId} names={slashes} chosen={slash} onPick={pick} />
        </Suspense>
      )}
      <QueueChips
        queue={props.queue}
        isIdle={!running}
        isSummarising={props.isSummarising === true}
        sendKey={sendKey}
        onEdit={props.onEditQueued}
        onRemove={(id) => void props.onRemoveQueued(id)}
        onSend={state === "idle" ? sendQueued : null}
      />
      <div
        className={classes(
          "rounded-dialog border bg-raised shadow-rest transition-colors",
          mode === "full" ? "border-danger ring-1 ring-danger" : "border-line focus-within:border-ink-faint/70",
        )}
      >
        {mode === "full" && <FullAccess onLeave={() => props.onMode("ask")} />}
        {imageStore !== undefined && <ImageChips images={images} load={imageStore.load} />}
        <textarea
          ref={area}
          rows={1}
          value={text}
          readOnly={state === "readOnly"}
          aria-label={words.composer.label}
          aria-controls={slashes.length > 0 ? slashId : undefined}
          aria-activedescendant={slash === null ? undefined : `${slashId}-${slash}`}
          placeholder={words.composer.placeholder[state]}
          enterKeyHint={sendKey === "enter" ? "send" : "enter"}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(false);
            forget();
          }}
          {...handlers}
          onKeyDown={onKeyDown}
          onCompositionEnd={(event) => {
            compositionEndedAt.current = event.timeStamp;
          }}
          className="block w-full resize-none bg-transparent px-4 pt-3 text-talk text-ink outline-none max-tablet:text-field"
        />
        <Trouble
          chars={text.length}
          keptOut={keptOut}
          refusal={refusal}
          waits={early[0]}
          hasNoModel={state === "noModel"}
        />
        <Bar {...props} field={area} text={text} canSend={canSend} running={running} onSendNow={sendNow} />
      </div>
    </div>
  );
}

interface BarProps extends ComposerProps {
  readonly text: string;
  readonly canSend: boolean;
  readonly running: boolean;
  readonly field: ModeMenuProps["field"];
  readonly onSendNow: () => void;
}

function Bar({ text, canSend, running, field, onSendNow, ...props }: BarProps) {
  const { state, mode } = props;
  return (
    <div className="flex items-center gap-0.5 px-2 pt-2 pb-2">
      <ModeMenu mode={mode} onMode={props.onMode} field={field} />
      <span className="flex-1" />
      <ModelMenu {...props.modelMenu} />
      {props.context}
      <SendButtons
        canSend={canSend}
        explains={text.trim() !== "" && (state === "noModel" || state === "offline")}
        running={running}
        onSend={onSendNow}
        onStop={props.onStop}
      />
    </div>
  );
}

interface TroubleProps {
  readonly chars: number;
  /** Number of characters over the limit in a rejected paste; 0 = none. */
  readonly keptOut: number;
  /** Why Enter did not send; null = it did. */
  readonly refusal: string | null;
  /** Enter was pressed before the page was ready. */
  readonly waits: boolean;
  readonly hasNoModel: boolean;
}

function Trouble({ chars, keptOut, refusal, waits, hasNoModel }: TroubleProps) {
  const words = useWords();
  const excess = chars - limits.promptMaxChars;
  return (
    <>
      {excess > 0 && (
        <p className="px-4 text-small text-danger">{words.composer.tooLong(words.figures.number(excess))}</p>
      )}
      {keptOut > 0 && (
        <p role="status" className="px-4 text-small text-danger">
          {words.composer.notPasted(words.figures.number(keptOut))}
        </p>
      )}
      {waits && (
        <p role="status" className="animate-appear px-4 pt-1 text-small text-ink-muted">
          {words.composer.sendsWhenReady}
        </p>
      )}
      {refusal !== null && (
        <p role="status" className="animate-appear px-4 pt-1 text-small text-ask">
          {refusal} {hasNoModel && <SettingsLink tab="model" />}
        </p>
      )}
    </>
  );
}

function FullAccess({ onLeave }: { readonly onLeave: () => void }) {
  const { composer } = useWords();
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-t-[11px] bg-danger-soft px-4 py-1.5 text-small text-danger">
      <span className="flex-1">{composer.fullWarning}</span>
      <button type="button" onClick={onLeave} className="font-medium underline underline-offset-2 max-tablet:h-11">
        {composer.leaveFull}
      </button>
    </p>
  );
}
