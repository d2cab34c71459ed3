/**
 * Signing in: the launch link carries a one-time token in its fragment, which is exchanged once for a cookie and a
 * secret. The cookie is sent to every port of this host; the secret stays in this page's storage. Neither is valid
 * without the other.
 */
import { withBasePath } from "../base-path";

/** wrongOrigin = the server does not accept pages of this origin. */
export type SignInResult = "done" | "refused" | "wrongOrigin" | "throttled" | "unreachable";

/** Parses the token of a launch link, of its fragment, or of pasted text; null = none. */
export function parseSignInToken(text: string): string | null {
  const trimmed = text.trim();
  const marked = /[#&]token=([^&\s#]+)/.exec(trimmed)?.[1];
  if (marked !== undefined) return decode(marked);
  return /^[A-Za-z0-9._~+/=-]{16,512}$/.test(trimmed) ? trimmed : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether the address contains a token. */
export const hasSignInToken = (): boolean => parseSignInToken(location.hash) !== null;

/** Removes the token from the address bar and the history, and returns it. */
export function takeSignInToken(): string | null {
  const token = parseSignInToken(location.hash);
  if (token !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** Rejects if no server answers. */
export const postSignIn = (body: object): Promise<Response> =>
  fetch(withBasePath("/api/sign-in"), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

export async function signIn(token: string): Promise<SignInResult> {
  try {
    const response = await postSignIn({ token });
    if (response.ok) return storeSecret(await response.json());
    return response.status === 429 ? "throttled" : response.status === 403 ? "wrongOrigin" : "refused";
  } catch {
    return "unreachable";
  }
}

/** One for each prefix: several servers may be below one origin. */
const storageKey = `gopiPage${withBasePath("")}`;
/** Fallback for browsers without storage: valid until the page is reloaded. */
let secretWithoutStorage: string | null = null;

/** Stores the secret of the server's answer; refused = it has none. */
export function storeSecret(answer: unknown): SignInResult {
  const secret = parseSecret(answer);
  if (secret === null) return "refused";
  secretWithoutStorage = secret;
  try {
    localStorage.setItem(storageKey, secret);
  } catch {
    // Storage is disabled or full: signed in until this page is closed, and an older secret must not be used instead.
    removeStoredSecret();
  }
  return "done";
}

function removeStoredSecret(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Storage is disabled: nothing is stored there.
  }
}

function parseSecret(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("value" in answer)) return null;
  const { value } = answer;
  if (typeof value !== "object" || value === null || !("page" in value)) return null;
  return typeof value.page === "string" ? value.page : null;
}

/** The secret of this page's sign-in, unaffected by later sign-ins in other tabs; null = none. */
export function pageSecret(): string | null {
  try {
    return localStorage.getItem(storageKey) ?? secretWithoutStorage;
  } catch {
    return secretWithoutStorage;
  }
}
