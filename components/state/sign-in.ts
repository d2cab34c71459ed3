/** Signing in: the launch link carries a one-time token in its fragment, which is exchanged once for a cookie. */

export type SignInResult = "done" | "refused" | "throttled" | "unreachable";

/** The token of a launch link, of its fragment, or of what a user pasted; null when there is none. */
export function tokenIn(text: string): string | null {
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

/** Takes the token out of the address, so that it stays neither in the bar nor in the history. */
export function takeToken(): string | null {
  const token = tokenIn(location.hash);
  if (token !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

export async function signIn(token: string): Promise<SignInResult> {
  try {
    const response = await fetch("/api/sign-in", {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (response.ok) return "done";
    return response.status === 429 ? "throttled" : "refused";
  } catch {
    return "unreachable";
  }
}
