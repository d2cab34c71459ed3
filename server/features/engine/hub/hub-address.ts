/** Where models are downloaded from. Pure. */

const defaultHub = "https://huggingface.co";

/**
 * The address that the user chose, else the one that `HF_ENDPOINT` names, else Hugging Face's; without a slash at its end.
 * `chosen` empty = none.
 */
export function hubAddress({ HF_ENDPOINT = "" }: NodeJS.Dict<string>, chosen: string): string {
  const named = [chosen, HF_ENDPOINT].map((address) => address.trim().replace(/\/+$/, ""));
  return named.find((address) => URL.canParse(address)) ?? defaultHub;
}
