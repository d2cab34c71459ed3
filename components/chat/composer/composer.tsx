"use client";
/** The message field: grows with its text, stores its draft, ignores the Enter of an input method. */
import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from "react";
import { useMessages } from "../../messages/messages";
import type { ImageRef } from "@/lib/events/content";
import type { Intent, QueuedMessage } from "@/lib/events/event";
import type { QueuedId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import { limits, type Settings } from "@/lib/settings/settings";
import { classes } from "../../ui/theme/classes";
import { SettingsLink } from "../settings-link";
import { ModeMenu, type ModeMenuProps, SendButtons } from "./composer-bar";
import { interpretComposerKey, toComposerKey, createDoublePress } from "./composer-keys";
import { ImageChips, type LoadImage } from "./image-chips";
import { ModelMenu, type ModelMenuProps } from "../model/model-menu";
import { type SlashCommand, type SlashName, parseSlashCommand, takesArgument } from "./slash/slash-commands";
import { type ComposerHandle, useComposerHandle } from "./use-composer-handle";
import { useDraft } from "./drafts/use-draft";
import { useEarlySend, useEarlyText } from "./drafts/use-early-text";
import { useAutoHeight } from "./use-auto-height";
import { type AddedImage, useImages } from "./use-images";
import { usePasteLimit } from "./use-paste-limit";
import { useSlashMenu } from "./slash/use-slash-menu";

const QueueChips = lazy(async () => ({ default: (await import("./queue-chips")).QueueChips }));
const SlashMenu = lazy(async () => ({ default: (await import("./slash/slash-menu")).SlashMenu }));

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
export const Composer = (props: ComposerProps) => <ComposerField key={props.draftKey} {...props} />;

function ComposerField(props: ComposerProps) {
  const { draftKey, state, mode, sendKey, onSend, onCommand, onStop, history, handle, imageStore } = props;
  const messages = useMessages();
  const [text, setText] = useDraft(draftKey);
  const [historyIndex, setHistoryIndex] = useState<number | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  const [isRefused, setRefused] = useState(false);
  const slashId = useId();
  const { names: slashes, chosen: slash, move, dismiss } = useSlashMenu(text, onCommand !== null);
  const [isDoublePress] = useState(createDoublePress);
  const images = useImages(draftKey, imageStore?.add);
  const { excessChars, reset, handlers } = usePasteLimit(images);
  const refusal = isRefused && (state === "noModel" || state === "offline") ? messages.composer.refused[state] : null;
  const running = state === "running" || state === "waiting";
  const canSend =
    text.trim() !== "" && !images.isAdding && text.length <= limits.promptMaxChars && (state === "idle" || running);
  const early = useEarlyText(draftKey, area, setText);
  useComposerHandle(handle, area, text, setText);
  useAutoHeight(area, text, linesMax * lineHeightPx);
  const send = (intent: Intent, sent: string = text): void => {
    if (!canSend) return setRefused(text.trim() !== "");
    setRefused(false);
    const command = onCommand === null ? null : parseSlashCommand(sent);
    setText("");
    setHistoryIndex(null);
    const attached = command === null ? images.take() : [];
    const sending = command === null || onCommand === null ? onSend(sent.trim(), intent, attached) : onCommand(command);
    void sending.then((taken) => {
      if (!taken && area.current?.value === "") setText(sent);
      if (!taken) images.addAll(attached);
    });
  };
  const sendNow = (): void => send(running ? "steer" : "prompt");
  useEarlySend(early, canSend, sendNow);
  const pick = (name: SlashName): void => (takesArgument(name) ? setText(`/${name} `) : send("prompt", `/${name}`));
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
      images.addAll(last.images ?? []);
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
    const meaning = interpretComposerKey(toComposerKey(event, compositionEndedAt.current), {
      sendKey,
      running,
      text,
      inHistory: historyIndex !== null && history[historyIndex] === text,
      offeredCommand: slash,
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
      {props.queue.length > 0 && (
        <Suspense>
          <QueueChips
            queue={props.queue}
            isIdle={!running}
            isSummarising={props.isSummarising === true}
            sendKey={sendKey}
            onEdit={props.onEditQueued}
            onRemove={(id) => void props.onRemoveQueued(id)}
            onSend={state === "idle" ? sendQueued : null}
          />
        </Suspense>
      )}
      <div
        className={classes(
          "rounded-dialog border bg-raised shadow-rest transition-colors",
          mode === "full" ? "border-danger ring-1 ring-danger" : "border-line focus-within:border-ink-faint/70",
        )}
      >
        {mode === "full" && <FullAccessWarning onLeave={() => props.onMode("ask")} />}
        {imageStore !== undefined && <ImageChips images={images} load={imageStore.load} />}
        <textarea
          ref={area}
          rows={1}
          value={text}
          readOnly={state === "readOnly"}
          aria-label={messages.composer.label}
          aria-controls={slashes.length > 0 ? slashId : undefined}
          aria-activedescendant={slash === null ? undefined : `${slashId}-${slash}`}
          placeholder={messages.composer.placeholder[state]}
          enterKeyHint={sendKey === "enter" ? "send" : "enter"}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(false);
            reset();
          }}
          {...handlers}
          onKeyDown={onKeyDown}
          onCompositionEnd={(event) => {
            compositionEndedAt.current = event.timeStamp;
          }}
          className="block w-full resize-none bg-transparent px-4 pt-3 text-talk text-ink outline-none max-tablet:text-field"
        />
        <ComposerProblems
          chars={text.length}
          excessPastedChars={excessChars}
          refusal={refusal}
          waits={early[0]}
          hasNoModel={state === "noModel"}
        />
        <BottomBar {...props} field={area} text={text} canSend={canSend} running={running} onSendNow={sendNow} />
      </div>
    </div>
  );
}

interface BottomBarProps extends ComposerProps {
  readonly text: string;
  readonly canSend: boolean;
  readonly running: boolean;
  readonly field: ModeMenuProps["field"];
  readonly onSendNow: () => void;
}

function BottomBar({ text, canSend, running, field, onSendNow, ...props }: BottomBarProps) {
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

interface ComposerProblemsProps {
  readonly chars: number;
  /** Number of characters over the limit in a rejected paste; 0 = none. */
  readonly excessPastedChars: number;
  /** Why Enter did not send; null = it did. */
  readonly refusal: string | null;
  /** Enter was pressed before the page was ready. */
  readonly waits: boolean;
  readonly hasNoModel: boolean;
}

function ComposerProblems({ chars, excessPastedChars, refusal, waits, hasNoModel }: ComposerProblemsProps) {
  const messages = useMessages();
  const excess = chars - limits.promptMaxChars;
  return (
    <>
      {excess > 0 && (
        <p className="px-4 text-small text-danger">{messages.composer.tooLong(messages.figures.number(excess))}</p>
      )}
      {excessPastedChars > 0 && (
        <p role="status" className="px-4 text-small text-danger">
          {messages.composer.notPasted(messages.figures.number(excessPastedChars))}
        </p>
      )}
      {waits && (
        <p role="status" className="animate-appear px-4 pt-1 text-small text-ink-muted">
          {messages.composer.sendsWhenReady}
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

function FullAccessWarning({ onLeave }: { readonly onLeave: () => void }) {
  const { composer } = useMessages();
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-t-[11px] bg-danger-soft px-4 py-1.5 text-small text-danger">
      <span className="flex-1">{composer.fullWarning}</span>
      <button type="button" onClick={onLeave} className="font-medium underline underline-offset-2 max-tablet:h-11">
        {composer.leaveFull}
      </button>
    </p>
  );
}
