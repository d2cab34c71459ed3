/**
 * A proxy that signs people in, and passes the name in a header of its requests. The header is believed over the Unix socket
 * alone: every program of this machine could send it to a port.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { minuteMs } from "@/lib/time/duration";
import { makeBurstLimit } from "@/server/base/burst-limit";
import type { FrontDoor } from "./front-door";

interface ProxyUser {
  /** In lower case. */
  readonly header: string;
  /** The one value that is let in. */
  readonly name: string;
}

interface ProxyUserOptions extends ProxyUser {
  isOverSocket(socket: Socket): boolean;
  log(line: string): void;
  /** ms epoch */
  now(): number;
}

/** Refusals that are logged in a minute. */
const loggedPerMinute = 5;

export function makeProxyUserDoor({ header, name, isOverSocket, log, now }: ProxyUserOptions): FrontDoor {
  const limit = makeBurstLimit({ max: loggedPerMinute, windowMs: minuteMs, now });
  function refuse(values: readonly string[]): string {
    const found = values.length === 0 ? "no value" : quoteValue(values.join(", ").slice(0, 100));
    const logged = limit();
    if (logged === "message") log(`Refused a request over the socket: ${header} has ${found} instead of "${name}".`);
    if (logged === "more") log(`Refused more requests over the socket, for the same reason.`);
    return `This gopi-web belongs to ${name}. The proxy before it passes on its requests with ${header}: ${name} only.`;
  }
  return {
    refusal({ socket, headersDistinct }: IncomingMessage) {
      const values = headersDistinct[header] ?? [];
      return !isOverSocket(socket) || (values.length === 1 && values[0] === name) ? null : refuse(values);
    },
    signIn: ({ socket }) => ({ kind: isOverSocket(socket) ? "accepted" : "refused" }),
  };
}

/** In quotes, with all but the characters of ASCII escaped. */
const quoteValue = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
