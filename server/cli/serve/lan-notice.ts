/** Startup notice when other devices can reach this server: addresses, how to sign in, and the risk. */
import { renderUnicodeCompact } from "uqr";

/**
 * Lines without the last line end. `links` = one-time links, one per address; `isDrawn` = the terminal can show a QR
 * code.
 */
export function lanNotice(links: readonly { readonly url: string }[], isDrawn: boolean): string {
  const [first] = links;
  if (first === undefined) return "";
  const code = isDrawn ? [renderUnicodeCompact(first.url, { border: 2 })] : [];
  return [
    "Open this link on another of your devices to sign it in (works once, for 10 minutes):",
    ...links.map(({ url }) => `  ${url}`),
    ...code,
    ...(first.url.startsWith("https:")
      ? []
      : [
          "The connection is plain http: others on this network can read it and use it to get in.",
          "Only use it on a network you trust, or use https with --tls-cert and --tls-key.",
        ]),
    "To sign devices out or close the network, go to Settings > Devices.",
  ].join("\n");
}
