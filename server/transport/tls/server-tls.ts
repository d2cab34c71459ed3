/**
 * https beside http at the same port: the first byte of a connection decides. The certificate is read again when its
 * files have changed; one that cannot be used leaves the previous one in force.
 */
import { statSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import type { Socket } from "node:net";
import { createServer } from "node:tls";
import { isCertificateEnding, type TlsStatus } from "@/lib/protocol/status-report";
import { dayMs } from "@/lib/time/duration";
import { type CertificateFailure, certificateFailureText, expiryText } from "@/server/base/certificate-texts";
import { type Certificate, readCertificate, type TlsFiles } from "./certificate";

/** Shortest time between two looks at the files, ms. */
const lookMs = 2_000;
/** Time in which a connection must send its first byte, ms. */
const firstByteMs = 30_000;
/** Time in which the handshake must be done, ms. */
const handshakeMs = 10_000;
/** First byte of a TLS connection: a record of the handshake. */
const handshakeByte = 0x16;

export interface ServerTls {
  /** Serves https on the connections of this server that begin with a TLS handshake. Call before it listens. */
  serve(http: HttpServer): void;
  /** Whether the certificate is for this host name or address, which has no brackets. */
  covers(name: string): boolean;
  /** Host names of the certificate, without patterns. */
  names(): readonly string[];
  status(): TlsStatus;
}

interface ServerTlsOptions {
  readonly files: TlsFiles;
  /** ms epoch */
  readonly now: () => number;
  /** ms on a monotonic clock */
  readonly elapsed: () => number;
  readonly log: (line: string) => void;
}

/** Reads the certificate for the first time; a failure names the file. */
export function makeServerTls(
  options: ServerTlsOptions,
  handshakeTimeout = handshakeMs,
): ServerTls | CertificateFailure {
  const { files, now, elapsed, log } = options;
  const first = readCertificate(files, now());
  if (!first.ok) return first.failure;
  let certificate: Certificate = first.value;
  let failure: CertificateFailure | null = null;
  let version = filesVersion(files);
  let lookedAt = elapsed();
  let warnedAt = Number.NEGATIVE_INFINITY;

  const reload = (): void => {
    const found = filesVersion(files);
    if (found === version) return;
    version = found;
    const read = readCertificate(files, now());
    failure = read.ok ? null : read.failure;
    if (read.ok) {
      certificate = read.value;
      warnedAt = Number.NEGATIVE_INFINITY;
      log("The certificate has changed and is in use.");
    } else log(`${certificateFailureText(read.failure)} The previous certificate stays in use.`);
  };
  const warn = (): void => {
    if (!isCertificateEnding(certificate, now()) || elapsed() - warnedAt < dayMs) return;
    warnedAt = elapsed();
    log(expiryText(files.cert, certificate.expiresAt, now()));
  };
  /** The certificate in force; looks at the files at most every `lookMs`. */
  const current = (): Certificate => {
    if (elapsed() - lookedAt >= lookMs) {
      lookedAt = elapsed();
      reload();
      warn();
    }
    return certificate;
  };
  warn();

  return {
    serve(http) {
      const listeners = http.listeners("connection");
      const accept = (socket: Socket): void => {
        for (const listener of listeners) Reflect.apply(listener, http, [socket]);
      };
      let { pem } = certificate;
      const tls = createServer({ ...pem, ALPNProtocols: ["http/1.1"], handshakeTimeout }, accept);
      // A client that does not trust the certificate ends the connection.
      tls.on("tlsClientError", (_error, socket) => void socket.destroy());
      http.removeAllListeners("connection");
      http.on("connection", (socket: Socket) => {
        if (current().pem !== pem) {
          pem = certificate.pem;
          tls.setSecureContext(pem);
        }
        sortConnection(socket, (isTls) => (isTls ? void tls.emit("connection", socket) : accept(socket)));
      });
    },
    covers: (name) => current().covers(name),
    names: () => current().names,
    status: () => ({ file: files.cert, expiresAt: current().expiresAt, problem: failure?.problem }),
  };
}

/** Reads the first byte of a connection, leaves it in the stream, and passes on whether it begins a TLS handshake. */
function sortConnection(socket: Socket, accept: (isTls: boolean) => void): void {
  const close = (): void => void socket.destroy();
  const timer = setTimeout(close, firstByteMs);
  socket.on("error", close);
  socket.once("close", () => clearTimeout(timer));
  socket.once("data", (bytes: Buffer) => {
    clearTimeout(timer);
    socket.pause();
    socket.off("error", close);
    socket.unshift(bytes);
    accept(bytes[0] === handshakeByte);
    // Not before the listeners of the accepted connection are there.
    process.nextTick(() => socket.resume());
  });
}

/** Changes whenever one of the files was written or replaced, or has got other permissions. */
const filesVersion = ({ cert, key }: TlsFiles): string =>
  [cert, key]
    .map((path) => {
      try {
        const { ctimeMs, size, ino } = statSync(path);
        return `${ctimeMs} ${size} ${ino}`;
      } catch {
        return "";
      }
    })
    .join();
