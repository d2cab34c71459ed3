/** Certificates for tests, made by openssl. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TlsFiles } from "./certificate";

/** Makes a folder with a certificate for these names, such as `DNS:localhost`, that is valid for `days`. */
export function makeTestCertificate(names: readonly string[], days = 100): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), "gopi-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", files.key];
  const subject = ["-subj", "/CN=test", "-addext", `subjectAltName=${names.join(",")}`];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", files.cert, "-days", String(days), ...subject], {
    stdio: "ignore",
  });
  return files;
}
