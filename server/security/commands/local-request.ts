/** Recognizes requests to this machine only, for their effects. Pure. */
import type { Word } from "../shell/shell-words";

interface RequestOptions {
  /** Options that take the next word, which is no address. */
  readonly valued: RegExp;
  /** Options by which a request may go elsewhere. */
  readonly redirecting: RegExp;
}

const options: Readonly<Record<string, RequestOptions>> = {
  curl: {
    valued:
      /^(?:-[a-zA-Z]*[HdXowmTAbcuF]|--(?:header|data|data-raw|data-binary|data-urlencode|json|request|output|write-out|max-time|connect-timeout|retry|retry-delay|retry-max-time|user-agent|cookie|cookie-jar|user|form))$/,
    redirecting: /^(?:-[a-zA-Z]*[xKL]|--(?:proxy|preproxy|socks|config|connect-to|resolve|doh|location|url|next))/,
  },
  wget: {
    valued: /^(?:-[a-zA-Z]*[OotTU]|--(?:output-document|output-file|tries|timeout|header|post-data|user-agent))$/,
    redirecting: /^(?:-[a-zA-Z]*[ieBrm]|--(?:input-file|execute|config|base|recursive|mirror|use-proxy))/,
  },
};

const localAddress = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)(?::\d{1,5})?(?:[/?#]|$)/i;

/** Whether a program with these arguments makes requests to this machine only; false = not, or it is not clear. */
export function requestsOnlyHere(name: string, words: readonly Word[]): boolean {
  const listed = Object.hasOwn(options, name) ? options[name] : undefined;
  if (listed === undefined) return false;
  let addresses = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || listed.redirecting.test(word.text)) return false;
    if (listed.valued.test(word.text)) at += 1;
    else if (!word.text.startsWith("-")) {
      if (!word.literal || word.tilde || !localAddress.test(word.text)) return false;
      addresses += 1;
    }
  }
  return addresses > 0;
}

/** Whether a redirection of bash, `/dev/tcp/HOST/PORT`, leads to this machine. */
export const isLocalDevice = (path: string): boolean =>
  /^\/dev\/(?:tcp|udp)\/(?:localhost|127(?:\.\d{1,3}){3}|::1)\//i.test(path);
