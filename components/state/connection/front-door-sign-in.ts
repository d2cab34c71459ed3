/** Sign-in by a front door: a hub, or a proxy that signs people in before their requests reach the server. */
import { currentPath, withBasePath } from "../base-path";
import { pageSecret, postSignIn, storeSecret } from "./sign-in";

/** away = the browser leaves for `address`; failed = it came back from there without a sign-in; none = there is no front door. */
export type FrontDoorResult =
  | { readonly kind: "done" | "none" | "unreachable" | "wrongOrigin" }
  | { readonly kind: "away" | "failed"; readonly address: string };

/** A browser that is back without a sign-in within this time does not leave again by itself, ms. */
const returnMs = 60_000;
const storageKey = `gopiLeftAt${withBasePath("")}`;

/** Signs in without a link, or leaves for the page of the front door. */
export async function signInAtFrontDoor(): Promise<FrontDoorResult> {
  const response = await postSignIn({ page: currentPath() + location.search }).catch(() => null);
  if (response === null) return { kind: "unreachable" };
  const answer: unknown = await response.json().catch(() => null);
  // A proxy answered instead of the server: its sign-in has ended, and a load of the page leads to it.
  if (answer === null) return leaveOnce(location.href);
  if (response.status === 403) return { kind: "wrongOrigin" };
  if (!response.ok) return { kind: "none" };
  const address = parseAddress(answer);
  if (address !== null) return leaveOnce(address);
  return { kind: storeSecret(answer) === "done" ? "done" : "none" };
}

/** Goes to the page of the front door, or loads this one. */
export const leaveFor = (address: string): void =>
  address === location.href ? location.reload() : location.replace(address);

function leaveOnce(address: string): FrontDoorResult {
  if (!mayLeave()) return { kind: "failed", address };
  leaveFor(address);
  return { kind: "away", address };
}

function mayLeave(): boolean {
  try {
    const secret = pageSecret() ?? "";
    const [leftAt, secretThen] = sessionStorage.getItem(storageKey)?.split(" ") ?? [];
    sessionStorage.setItem(storageKey, `${Date.now()} ${secret}`);
    // Another secret is of a sign-in since then.
    return leftAt === undefined || secretThen !== secret || Math.abs(Date.now() - Number(leftAt)) > returnMs;
  } catch {
    // Nothing tells the second time from the first.
    return false;
  }
}

function parseAddress(answer: unknown): string | null {
  const value = typeof answer === "object" && answer !== null && "value" in answer ? answer.value : null;
  const isElsewhere = typeof value === "object" && value !== null && "signInAt" in value;
  return isElsewhere && typeof value.signInAt === "string" ? value.signInAt : null;
}
