/** Finds the address that models are downloaded from. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { isDownloadAddress } from "@/lib/models/server-address";

const defaultHub = "https://huggingface.co";
/** The variable that names a mirror for all programs of Hugging Face. */
const variable = "HF_ENDPOINT";

/**
 * The address that the user chose, else the one that `HF_ENDPOINT` names, else Hugging Face's; without a slash at its end.
 * `chosen` = checked by the settings; empty = none. A host alone means https. Fails with bad_input (facts: `variable`) for a
 * value of the variable that the setting would refuse.
 */
export function hubAddress({ [variable]: named = "" }: NodeJS.Dict<string>, chosen: string): Result<string> {
  if (chosen !== "") return ok(withoutSlash(chosen));
  const typed = withoutSlash(named.trim());
  if (typed === "") return ok(defaultHub);
  const address = typed.includes("://") ? typed : `https://${typed}`;
  return isDownloadAddress(address) ? ok(address) : fail("bad_input", undefined, { variable });
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, "");
