/** Keys that an input method takes, so that a field must not react to them. */

/** Safari sends compositionend before the keydown of the Enter that confirmed the candidate; most versions mark it with 229. */
const compositionConfirmMs = 60;

interface TypedKey {
  readonly key: string;
  readonly isComposing: boolean;
  /** 229 = the key went to an input method; Safari reports it after the composition has ended. */
  readonly keyCode: number;
  /** Since the last compositionend event of the field, ms; absent = not measured. */
  readonly sinceCompositionMs?: number;
}

/** Whether a key belongs to an input method. */
export const isForInputMethod = ({ key, isComposing, keyCode, sinceCompositionMs = Infinity }: TypedKey): boolean =>
  isComposing || keyCode === 229 || (key === "Enter" && sinceCompositionMs < compositionConfirmMs);
