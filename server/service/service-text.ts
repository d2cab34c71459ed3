/** The text of the user's service that starts the server: a unit of systemd, a property list of launchd. Pure. */

/** Command line and PATH of the service. */
export interface ServiceLaunch {
  /** Absolute path of Node, then that of the program, then its arguments. */
  readonly command: readonly [node: string, program: string, ...parameters: string[]];
  /** PATH of the user, with the programs that the agent's commands use. */
  readonly path: string;
}

/** Name of the unit without its ending, and label of the agent. */
export const serviceName = "gopi-web";

/** Time until the server is started again after a failure, seconds. */
const restartSeconds = 5;

export const systemdUnit = ({ command, path }: ServiceLaunch): string =>
  `# Written by gopi-web serve --install; gopi-web serve --uninstall removes it.
[Unit]
Description=gopi-web, a coding agent in your browser

[Service]
ExecStart=:/usr/bin/env ${command.map(quoteUnitWord).join(" ")}
Environment=${quoteUnitWord(`PATH=${path}`)}
Restart=on-failure
RestartSec=${restartSeconds}

[Install]
WantedBy=default.target
`;

/**
 * Quotes a word of a unit, where % begins a specifier. A dollar sign is plain text: in Environment= always, and in ExecStart=
 * after a colon. The first word of ExecStart= may have no quotes and backslashes at all, so `env` is that.
 */
const quoteUnitWord = (word: string): string =>
  `"${word
    .replace(/[\\"]/g, "\\$&")
    .replaceAll("%", "%%")
    .replace(/\p{Cc}/gu, (sign) => `\\x${(sign.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`)}"`;

export const launchdAgent = ({ command, path }: ServiceLaunch): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by gopi-web serve: the option install writes it, uninstall removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${serviceName}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${escapeXml(path)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${restartSeconds}</integer>
</dict>
</plist>
`;

const xmlEntities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeXml = (text: string): string => text.replace(/[&<>]/g, (sign) => xmlEntities[sign] ?? sign);
