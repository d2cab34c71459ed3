/** Key as printed on the keyboard, inside a button or tooltip. Hidden on phones. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <kbd
      data-key-hint
      className="rounded-mark bg-current/12 px-[5px] text-tiny font-normal opacity-85 max-tablet:hidden"
    >
      <span className="text-current">{keys}</span>
    </kbd>
  );
}
