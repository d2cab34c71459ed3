/** The option --public-url, and its variable. */
import { type PublicAddress, parsePublicUrls, type PublicUrlProblem } from "@/server/base/public-address";
import { type Environment, type ParsedOptions, printable, UsageError } from "./options";

const publicUrlProblems: Readonly<Record<PublicUrlProblem, string>> = {
  not_an_address: "isn't an http or https address without a user, a query and a fragment",
  different_paths: "has addresses with different paths: all have the same one",
  own_path: "has a path that gopi-web uses itself: choose another one, such as /ide/",
  bad_path: "has a path that proxies read in two ways: use letters, digits and - . _ ~ @",
};

/** Throws UsageError. */
export function parsePublicAddress(
  options: ParsedOptions,
  environment: Environment,
): { readonly publicAddress?: PublicAddress } {
  const [option, variable] = [options.text("public-url"), environment.GOPI_PUBLIC_URL ?? ""];
  const text = option ?? variable;
  if (text === "" && option === null) return {};
  const publicAddress = parsePublicUrls(text);
  if (typeof publicAddress !== "string") return { publicAddress };
  throw new UsageError(
    `${option === null ? "GOPI_PUBLIC_URL=" : "--public-url "}${printable(text)} ${publicUrlProblems[publicAddress]}`,
  );
}
