"use client";
/** The message field: grows with its text, stores its draft, ignores the Enter of an input method. */
import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from "react";
import { type Messages, useMessages } from "../../messages/messages";
import type { Intent, QueuedMessage } from "@/lib/events/event";
import type { QueuedId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import { isUserCommandText, parseUserCommand } from "@/lib/events/user-command";
import { limits, type Settings } from "@/lib/settings/settings";
import type { UnsentAttachments } from "../../state/session/open-session-store";
import { classes } from "../../ui/theme/classes";
import { LazyFullAccessWarning } from "../full-access/lazy-full-access-warning";
import { SettingsLink } from "../settings-link";
import { AttachButton } from "./attach/attach-button";
import type { AttachMenuProps } from "./attach/attach-menu";
import { ModeMenu, type ModeMenuProps, SendButtons } from "./composer-bar";
import { interpretComposerKey, toComposerKey, createDoublePress } from "./composer-keys";
import { attachmentAdder, ComposerAttachments, restoreAttachments, takeAttachments } from "./composer-attachments";
import { CommandHint } from "./command-hint";
import type { LoadImage } from "./image-chips";
import type { ComposerMenusProps } from "./composer-menus";
import { ModelMenu, type ModelMenuProps } from "../model/model-menu";
import { toNewReference, useComposerReferences } from "./references/use-composer-references";
import type { ReferenceStore } from "./references/use-references";
import { appendText, type ComposerHandle, useComposerHandle } from "./use-composer-handle";
import { useDraft } from "./drafts/use-draft";
import { useEarlySend, useEarlyText } from "./drafts/use-early-text";
import { useAutoHeight } from "./use-auto-height";
import { useFileDrop } from "./use-file-drop";
import { MessageField } from "./message-field";
import { useMessageHistory } from "./use-message-history";
import { type AddedImage, useImageBlock, useImages } from "./use-images";
import { usePasteLimit } from "./use-paste-limit";
import { useHeldSend } from "./slash/use-held-send";
import { useSlashCommand } from "./slash/use-slash-command";
import { opensKeyboard } from "../../ui/browser/focus";

const ComposerMenus = lazy(async () => ({ default: (await import("./composer-menus")).ComposerMenus }));
const QueueChips = lazy(async () => ({ default: (await import("./queue-chips")).QueueChips }));

/** waiting = an approval waits; noModel and offline keep the draft and do not send. */
export type ComposerState = "idle" | "running" | "waiting" | "noModel" | "offline" | "readOnly";

export interface ComposerProps {
  readonly modelMenu: ModelMenuProps;
  /** Storage key of the draft: the session's id, or another key while there is no session. */
  readonly draftKey: string;
  readonly state: ComposerState;
  /** The models are not known yet: an Enter is held until they are. */
  readonly isStarting?: boolean;
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
  /** False = rejected; text and attachments are restored. */
  readonly onSend: (text: string, intent: Intent, attachments: UnsentAttachments) => Promise<boolean>;
  /** Finds and measures references. Absent = files and texts cannot be added here. */
  readonly referenceStore?: ReferenceStore;
  /** Stores and loads images. Absent = images cannot be added here. */
  readonly imageStore?: ImageStore;
  /** Runs a command such as `!npm test`; false = rejected. */
  readonly onRunCommand: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
  /** Called on double Esc in an empty field while nothing runs. */
  readonly onTree?: () => void;
  /** The user's own messages, oldest first, for the arrow keys. */
  readonly history: readonly string[];
  readonly handle?: RefObject<ComposerHandle | null>;
}

export interface ImageStore {
  readonly add: (file: File) => Promise<AddedImage>;
  /** Why the chosen model cannot get images; null = it can. */
  readonly check: () => Promise<string | null>;
  readonly load: LoadImage;
}

const lineHeightPx = 24;
const linesMax = 10;

/** Remounts per session, so that each has its own draft. */
export const Composer = (props: ComposerProps) => <ComposerField key={props.draftKey} {...props} />;

function ComposerField(props: ComposerProps) {
  const { draftKey, state, mode, sendKey, onSend, onStop, history, handle, imageStore, referenceStore } = props;
  const messages = useMessages();
  const [text, setText] = useDraft(draftKey);
  const shownHistory = useMessageHistory(history, text, setText);
  const area = useRef<HTMLTextAreaElement>(null);
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  const [isRefused, setRefused] = useState(false);
  const menuId = useId();
  const slash = useSlashCommand(text, state !== "offline" && state !== "readOnly", (next) => {
    setText(next);
    shownHistory.leave();
  });
  const heldSend = useHeldSend(text, slash.context !== null, area);
  const [isDoublePress] = useState(createDoublePress);
  const images = useImages(draftKey, imageStore?.add);
  const isCommand = isUserCommandText(text);
  const store = isCommand ? undefined : referenceStore;
  const added = useComposerReferences(draftKey, store, images.addAll, area, text, setText);
  const { references, mentions, complete, completeImages, retype } = added;
  const adder = attachmentAdder(images, references, messages.composer);
  const { excessChars, reset, paste, handlers } = usePasteLimit(adder);
  useFileDrop(area, adder);
  const refusal = slash.refusal ?? (isRefused ? refusalText(messages, state, text) : null);
  const running = state === "running" || state === "waiting";
  const isReady = state === "idle" || running || (isCommand && state === "noModel");
  const imageBlock = useImageBlock(images.list.length > 0, imageStore?.check);
  const isBlocked = images.isAdding || (imageBlock !== null && !isCommand);
  const canSend = text.trim() !== "" && !isBlocked && text.length <= limits.promptMaxChars && isReady;
  const early = useEarlyText(draftKey, area, setText, mentions.setCaret);
  useComposerHandle(handle, area, setText, references.add);
  const placeholder = messages.composer.placeholder[state];
  useAutoHeight(area, { text, placeholder, maxHeightPx: linesMax * lineHeightPx });
  const send = (intent: Intent, modifiers: KeyboardEventInit): void => {
    if (slash.typed !== null) return slash.perform(slash.typed);
    if (heldSend.hold(modifiers) || isReplaced(area.current)) return;
    if (!canSend && props.isStarting && text.trim() !== "") return early[1](true);
    if (!canSend) return setRefused(text.trim() !== "" || references.list.length > 0);
    if (isCommand && parseUserCommand(text) === null) return setRefused(true);
    setRefused(false);
    setText("");
    shownHistory.leave();
    const restoreText = (): void => (area.current?.value === "" ? setText(text) : undefined);
    if (isCommand) return void props.onRunCommand(text).then((wasRun) => wasRun || restoreText());
    const attached = takeAttachments(images, references);
    void onSend(text.trim(), intent, attached).then((wasSent) => {
      if (wasSent) return;
      restoreText();
      restoreAttachments(attached, { images, references });
    });
  };
  const sendNow = (modifiers: KeyboardEventInit): void => send(running ? "steer" : "prompt", modifiers);
  const sendAsIs = (): void => sendNow({ ctrlKey: true });
  useEarlySend(early, canSend, () => sendNow({}));
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const meaning = interpretComposerKey(toComposerKey(event, compositionEndedAt.current), {
      sendKey,
      running,
      text,
      inHistory: shownHistory.isShown,
      isMenuOpen: mentions.isOffering,
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
      ((meaning === "older" || meaning === "newer") && !shownHistory.step(meaning === "older" ? -1 : 1))
    )
      return;
    event.preventDefault();
    if (meaning === "send") sendNow({ ctrlKey: event.ctrlKey, metaKey: event.metaKey });
    else if (meaning === "queue") send("followUp", { altKey: true });
    else if (meaning === "stop") onStop();
    else if (meaning === "pull") pullQueued(props, { images, references }, area, setText);
    else if (meaning === "dismiss") mentions.dismiss();
    else if (meaning === "complete") mentions.submit();
    else mentions.move(meaning === "up" ? -1 : 1);
  };
  return (
    <div
      data-composer
      data-mode={mode}
      data-state={state}
      className="group/composer relative mx-auto w-full max-w-[760px]"
    >
      <Menus
        id={menuId}
        {...{ slash, mentions, store, text, draftKey }}
        onReference={(reference) => (reference === null ? sendAsIs() : complete(reference))}
        {...{ onRetype: retype, onImages: completeImages, onText: setText, onKnown: heldSend.setKnown }}
      />
      <ComposerQueue {...props} field={area} running={running} />
      <div
        className={classes(
          "rounded-dialog border bg-raised shadow-rest transition-colors",
          mode === "full"
            ? "border-danger ring-1 ring-danger"
            : "border-line focus-within:border-ink-faint/70 group-data-drop/composer:border-accent!",
        )}
      >
        {mode === "full" && <LazyFullAccessWarning onLeave={() => props.onMode("ask")} />}
        <ComposerAttachments
          images={images}
          imageBlock={imageBlock}
          loadImage={imageStore?.load}
          references={references}
          onInsert={(inserted) => setText((now) => appendText(now, inserted))}
          onRemoved={() => area.current?.focus()}
        />
        <MessageField
          {...{ area, menuId, text, state, mentions, placeholder, sendKey, isCommand, handlers, onKeyDown }}
          onText={(next) => {
            added.followEdit(next);
            setText(next);
            early[1](false);
            setRefused(false);
            reset();
          }}
          onCompositionEnd={(at) => void (compositionEndedAt.current = at)}
        />
        {isCommand && <CommandHint text={text} running={running} />}
        <ComposerProblems
          chars={text.length}
          excessPastedChars={excessChars}
          refusal={refusal}
          waits={early[0] || heldSend.isHeld}
          hasNoModel={state === "noModel"}
        />
        <BottomBar
          {...props}
          {...{ adder, paste, text }}
          field={area}
          canSend={canSend}
          running={running}
          onSendNow={sendAsIs}
        />
      </div>
    </div>
  );
}

/** Whether the text is a command of an extension, which replaces it in place of sending it. */
const isReplaced = (field: HTMLElement | null): boolean =>
  field?.dispatchEvent(new Event("beforesend", { bubbles: true, cancelable: true })) === false;

/** Loaded with the first character. */
const Menus = (props: ComposerMenusProps) =>
  props.text === "" ? null : (
    <Suspense>
      <ComposerMenus {...props} />
    </Suspense>
  );

/** Moves the last queued message back into the field. */
function pullQueued(
  { queue, onRemoveQueued }: ComposerProps,
  attachments: Parameters<typeof restoreAttachments>[1],
  area: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
): void {
  const last = queue.at(-1);
  if (last === undefined) return;
  const references = last.references?.map(toNewReference) ?? [];
  if (!attachments.references.hasRoom(references)) return;
  void onRemoveQueued(last.id).then((removed) => {
    if (!removed) return;
    setText(area.current?.value === "" ? last.text : `${last.text}\n${area.current?.value ?? ""}`);
    restoreAttachments({ ...last, references }, attachments);
  });
}

interface ComposerQueueProps extends ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly running: boolean;
}

function ComposerQueue({ field, running, queue, isSummarising = false, state, ...props }: ComposerQueueProps) {
  const send = (message: QueuedMessage): void => {
    props.onSendQueued(message);
    // The pressed button is gone. On touch devices focus would open the screen keyboard.
    if (!opensKeyboard()) field.current?.focus();
  };
  if (queue.length === 0) return null;
  return (
    <Suspense>
      <QueueChips
        queue={queue}
        isIdle={!running}
        isSummarising={isSummarising}
        sendKey={props.sendKey}
        onEdit={props.onEditQueued}
        onRemove={(id) => void props.onRemoveQueued(id)}
        onSend={state === "idle" ? send : null}
      />
    </Suspense>
  );
}

/** Why Enter did not send; null = it did. */
function refusalText({ composer }: Messages, state: ComposerState, text: string): string | null {
  if (state !== "offline" && isUserCommandText(text)) return composer.userCommand.empty;
  if (state === "noModel" || state === "offline") return composer.refused[state];
  return text.trim() === "" ? composer.references.needsText : null;
}

interface BottomBarProps extends ComposerProps, Pick<AttachMenuProps, "adder" | "paste"> {
  readonly text: string;
  readonly canSend: boolean;
  readonly running: boolean;
  readonly field: ModeMenuProps["field"];
  readonly onSendNow: () => void;
}

function BottomBar({ text, adder, paste, canSend, running, field, onSendNow, ...props }: BottomBarProps) {
  const { state, mode } = props;
  return (
    <div className="flex items-center gap-0.5 px-2 pt-2 pb-2">
      {state !== "readOnly" && <AttachButton {...{ adder, paste, field }} isEmpty={text === ""} />}
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
  /** Enter was pressed before the page was ready, or before the commands were known. */
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
