/** A certificate with its key, as read from two PEM files. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import type { CertificateProblem } from "@/lib/protocol/status-report";
import type { CertificateFailure } from "@/server/base/certificate-texts";

/** Absolute paths of --tls-cert and --tls-key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The certificate that connections get. */
export interface Certificate {
  /** Content of the two files. */
  readonly pem: { readonly cert: string; readonly key: string };
  /** Names and addresses it is for, without patterns such as `*.example.org`. */
  readonly names: readonly string[];
  /** ms epoch */
  readonly expiresAt: number;
  /** Whether it is for this host name or address, which has no brackets. */
  covers(name: string): boolean;
}

type ReadCertificate =
  | { readonly ok: true; readonly value: Certificate }
  | { readonly ok: false; readonly failure: CertificateFailure };

/** Reads both files; `now` is ms epoch. The certificate file may contain the chain after the certificate. */
export function readCertificate({ cert, key }: TlsFiles, now: number): ReadCertificate {
  const fails = (problem: CertificateProblem, file: string): ReadCertificate => ({
    ok: false,
    failure: { problem, file },
  });
  const [certText, keyText] = [readText(cert), readText(key)];
  if (certText.problem !== undefined) return fails(certText.problem, cert);
  if (keyText.problem !== undefined) return fails(keyText.problem, key);
  const parsed = parse(() => new X509Certificate(certText.text));
  if (parsed === null) return fails("not_certificate", cert);
  const privateKey = parse(() => createPrivateKey(keyText.text));
  if (privateKey === null) return fails("not_key", key);
  if (!parsed.checkPrivateKey(privateKey)) return fails("other_key", key);
  const expiresAt = Date.parse(parsed.validTo);
  if (expiresAt <= now) return fails("expired", cert);
  const pem = { cert: certText.text, key: keyText.text };
  if (parse(() => createSecureContext(pem)) === null) return fails("not_certificate", cert);
  return {
    ok: true,
    value: {
      pem,
      names: certificateNames(parsed.subjectAltName ?? ""),
      expiresAt,
      covers: (name) => (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) !== undefined,
    },
  };
}

/** Most bytes of a file: a certificate with its chain has a few thousand. */
const maxFileBytes = 1_048_576;

function readText(path: string): { readonly text: string; readonly problem?: CertificateProblem } {
  try {
    // To read a pipe or a device would block the server.
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > maxFileBytes) return { text: "", problem: "unreadable" };
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { text: "", problem: isMissing ? "missing" : "unreadable" };
  }
}

function parse<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Names of a subjectAltName, such as `DNS:localhost, IP Address:127.0.0.1`. */
const certificateNames = (text: string): readonly string[] =>
  [...text.matchAll(/(?:DNS|IP Address):([^,"\s]+)/g)].flatMap(([, name = ""]) => (name.includes("*") ? [] : [name]));
