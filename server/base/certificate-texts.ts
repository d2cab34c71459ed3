/** Sentences about the certificate for the terminal and the log. */
import type { CertificateProblem } from "@/lib/protocol/status-report";
import { dayMs } from "@/lib/time/duration";

const problems: Readonly<Record<CertificateProblem, string>> = {
  missing: "there is no such file",
  unreadable: "it is no file of at most 1 MB that can be read; correct the path or its permissions",
  not_certificate: "the file has no certificate in PEM format",
  not_key: "the file has no private key in PEM format, or one with a passphrase",
  other_key: "the key belongs to another certificate; use the two files that were made together",
  expired: "the certificate has expired; renew it",
};

/** Why a certificate cannot be used, and the file that is the reason. */
export interface CertificateFailure {
  readonly problem: CertificateProblem;
  readonly file: string;
}

export const certificateFailureText = ({ problem, file }: CertificateFailure): string =>
  `Can't use ${file} for https: ${problems[problem]}.`;

/** `expiresAt` and `now` are ms epoch. */
export function expiryText(file: string, expiresAt: number, now: number): string {
  const days = Math.floor((expiresAt - now) / dayMs);
  if (days < 0) return `The certificate ${file} has expired: browsers refuse it. Renew it.`;
  return `The certificate ${file} expires in ${days} ${days === 1 ? "day" : "days"}. Renew it.`;
}
