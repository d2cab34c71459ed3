"use client";
/** Menu that adds to a message: files of this device, the clipboard, and the choices of the signs @, / and !. */
import { Clipboard, FileText, FolderOpen, ImagePlus, SquareSlash, SquareTerminal } from "lucide-react";
import type { RefObject } from "react";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { type MenuItem, MenuList, type MenuListProps } from "../../../ui/controls/menu";
import type { AttachmentAdder, PasteLimit } from "../use-paste-limit";

export interface AttachMenuProps extends Pick<MenuListProps, "id" | "anchor" | "onClose"> {
  readonly adder: Pick<AttachmentAdder, "addFiles">;
  readonly paste: PasteLimit["paste"];
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Only an empty message can become a command. */
  readonly isEmpty: boolean;
}

/** Lets the user choose files of this device. */
function chooseFiles(accept: string, onChosen: (files: readonly File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  input.onchange = () => onChosen([...(input.files ?? [])]);
  input.click();
}

/** Types into the field as the user would: at the caret, a sign that begins a word after a space. */
function typeInto(field: HTMLTextAreaElement | null, text: string): void {
  if (field === null) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Returns the images and the text of the clipboard; null = the browser does not allow it. */
async function readClipboard(): Promise<{ readonly files: readonly File[]; readonly text: string } | null> {
  try {
    const items = await navigator.clipboard.read();
    const read = (isWanted: (type: string) => boolean): Promise<readonly Blob[]> =>
      Promise.all(
        items.flatMap((item) => {
          const type = item.types.find(isWanted);
          return type === undefined ? [] : [item.getType(type)];
        }),
      );
    const images = await read((type) => type.startsWith("image/"));
    const texts = await read((type) => type === "text/plain");
    return {
      files: images.map((blob) => new File([blob], "image", { type: blob.type })),
      text: (await Promise.all(texts.map((blob) => blob.text()))).join("\n"),
    };
  } catch {
    return null;
  }
}

export function AttachMenu({ id, anchor, adder, paste, field, isEmpty, onClose }: AttachMenuProps) {
  const { attach, composer } = useFullMessages();
  const { toasts } = useClient();
  const type = (text: string): void => typeInto(field.current, text);
  const mention = (): void => {
    const before = field.current?.value.slice(0, field.current.selectionStart) ?? "";
    type(/\S$/.test(before) ? " @" : "@");
  };
  const pasteClipboard = async (): Promise<void> => {
    const found = await readClipboard();
    if (found === null) toasts.show({ text: attach.notAllowed });
    else if (found.files.length === 0 && found.text === "") toasts.show({ text: attach.nothingToPaste });
    else if (field.current !== null && !paste(field.current, found.files, found.text)) type(found.text);
  };
  const choose = (accept: string) => (): void => chooseFiles(accept, (files) => void adder.addFiles(files));
  const items: readonly MenuItem[] = [
    { id: "image", label: attach.image, icon: ImagePlus, onSelect: choose("image/*") },
    { id: "file", label: attach.textFile, icon: FileText, onSelect: choose("") },
    // Absent without https on another machine's address.
    ...("clipboard" in navigator && "read" in navigator.clipboard
      ? [{ id: "paste", label: attach.clipboard, icon: Clipboard, onSelect: () => void pasteClipboard() }]
      : []),
    { id: "project", label: attach.project, icon: FolderOpen, shortcut: "@", separated: true, onSelect: mention },
    {
      id: "skill",
      label: attach.skill,
      icon: SquareSlash,
      shortcut: "/",
      disabled: !isEmpty,
      onSelect: () => type("/"),
    },
    {
      id: "command",
      label: attach.command,
      icon: SquareTerminal,
      shortcut: "!",
      disabled: !isEmpty,
      onSelect: () => type("!"),
    },
  ];
  return <MenuList {...{ id, anchor, items, onClose }} name={composer.attach} side="above" align="start" />;
}
