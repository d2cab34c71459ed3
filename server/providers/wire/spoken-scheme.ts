/** Finds out that a port speaks https where http was sent to it, or the reverse. */
import { timeLimit } from "@/server/base/abort";
import { nodeFetch, SocketError } from "./node-fetch";

const probeMs = 2_000;
const certificateCode = /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_)/;
const notTlsCode = /^(?:EPROTO|ERR_SSL_)/;
const brokenCode = /^(?:ECONNRESET|EPIPE|HPE_)/;
/** Answers of nginx, Apache, Go and Tomcat to http on their ports of https. */
const needsTls =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|requires TLS/i;

const codeOf = ({ cause }: SocketError): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "";

/** Only a server with TLS has a certificate, or refuses a handshake with an alert. */
const isTlsAnswer = (error: SocketError): boolean =>
  certificateCode.test(codeOf(error)) || /\bSSL alert\b/i.test(error.message);

/** Whether an answer is the one of a port of https to a request over http. */
export const requiresTls = (address: string, status: number, body: string): boolean =>
  new URL(address).protocol === "http:" && status >= 400 && status < 500 && needsTls.test(body.slice(0, 2_000));

/** Returns the scheme that the port speaks in place of the one of the address; null = the failure has another reason. */
export async function findSpokenScheme(
  address: string,
  error: unknown,
  signal: AbortSignal,
): Promise<"http" | "https" | null> {
  if (!(error instanceof SocketError) || !error.connected || error.proxy !== null) return null;
  const url = new URL(address);
  const isTls = url.protocol === "https:";
  if (!(isTls ? notTlsCode : brokenCode).test(codeOf(error)) && error.message !== "closed without an answer")
    return null;
  const other = isTls ? "http" : "https";
  try {
    const probe = `${other}://${url.hostname}:${url.port || (isTls ? "443" : "80")}/`;
    const answer = await nodeFetch(probe, { method: "GET", headers: {} }, timeLimit(probeMs, signal));
    answer.destroy();
    return other;
  } catch (cause) {
    signal.throwIfAborted();
    return other === "https" && cause instanceof SocketError && isTlsAnswer(cause) ? other : null;
  }
}
