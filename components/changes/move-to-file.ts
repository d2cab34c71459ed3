/** Moves the focus between the files of a list of diffs. */

/** Focuses the head of the next or previous file from the one that has `target`. */
export function moveToFile(list: HTMLElement, target: EventTarget | null, step: 1 | -1): void {
  const heads = [...list.querySelectorAll<HTMLElement>("[data-file] > div button[aria-expanded]")];
  const section = target instanceof Element ? target.closest("[data-file]") : null;
  const at = heads.findIndex((head) => section?.contains(head) === true);
  const next = heads[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
