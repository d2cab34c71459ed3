/** Messages about MCP servers in the settings. */
import type { McpTextReason } from "@/lib/events/error-reasons";
import type { ErrorSentences, ReasonSentences } from "@/lib/events/error-sentences";
import type { Figures } from "../../figures";
import { programProducts } from "../../program-products";
import { errors } from "../errors";

/** Syntax that JSON lacks at a position, by the server's name for it; a character is quoted. */
const expectedTexts: ReadonlyMap<string, string> = new Map([
  ["a value", "a value"],
  ["a name in quotes", "a name in quotes"],
  ["the end", "the end"],
  ["a text without invalid escapes", "a text without invalid escapes"],
  ["a closing quote", "a closing quote"],
]);
const expectedText = (expected: string): string =>
  expected.endsWith("levels") ? "less nesting" : (expectedTexts.get(expected) ?? `"${expected}"`);

/** Why a server, or an entry of a file with servers, cannot be used: what happened and the next step. */
const reasons: ReasonSentences<McpTextReason, Figures> = {
  program_missing: ({ program }) =>
    `There is no program "${program}" on this machine. ${programProducts.has(program) ? `It is part of ${programProducts.get(program)}: install that, then try again.` : "Install it, or correct the command in the file, then try again."}`,
  folder_missing: ({ folder }) =>
    `Its folder ${folder} doesn't exist. Create it, or correct "cwd" in the file, then try again.`,
  not_startable: ({ program }) =>
    `The system refused to start ${program}. The details have the reason; correct the command in the file, then try again.`,
  exited: ({ exit, signal }) =>
    exit !== null
      ? `It ended with exit code ${exit}. Its last lines often have the reason; correct the command or its variables, then try again.`
      : signal !== null
        ? `It was ended by the signal ${signal}. Try again; if it happens again, read its log.`
        : "It ended unexpectedly. Try again; if it happens again, read its log.",
  no_protocol: ({ host }) =>
    host === undefined
      ? "It writes something else than MCP. Check that the command starts an MCP server that talks over its standard input and output."
      : `${host} answers with something else than MCP. Check the address in the server's documentation.`,
  no_version: "It supports no version of MCP that gopi-web has. Update the server, or gopi-web.",
  refused: "It answered with an error. The details have its words; correct its variables or arguments, then try again.",
  too_large: "Its answer is larger than the limit. Update the server, or use another one for this.",
  closed: "It was stopped. It starts again at its next call.",
  no_answer: ({ seconds }, { duration }) =>
    `It didn't answer within ${duration(seconds * 1_000)}. Try again; a first start can take longer because the package is downloaded.`,
  starting: ({ seconds }, { duration }) =>
    `It has been starting for ${duration(seconds * 1_000)}. Wait, or stop it and read its log.`,
  waiting: ({ failures }) =>
    `It failed ${failures} times in a row and isn't started any more. Read its log, correct what is wrong, then test and approve it.`,
  unreachable: ({ host, proxy }) =>
    proxy === undefined
      ? `${host} can't be reached. Check the address and your network, then try again.`
      : `${host} can't be reached through the proxy ${proxy}. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, then restart gopi-web.`,
  cut: ({ host }) => `The connection to ${host} ended before the answer. Try again.`,
  insecure: ({ host }) =>
    `The address of ${host} doesn't start with https://, which is required on the internet. Correct it in the file.`,
  redirected: ({ address }) =>
    `It redirects to ${address}, which isn't followed. If that is the server, write this address into the file.`,
  forbidden: ({ status }) =>
    `It refused access (HTTP ${status}). Check the key in its headers in the file, then try again.`,
  http_status: ({ status }) => `It answered with HTTP ${status}. Check its address in the file, then try again.`,
  signed_out: "You are signed out. Sign in to it, then try again.",
  scope_missing: ({ scopes }) =>
    scopes === ""
      ? "It needs another permission. Sign in again and allow it."
      : `It needs another permission: ${scopes}. Sign in again and allow it.`,
  session_expired: "It ended the session. Try again.",
  address_required: ({ addresses = [] }) => {
    const hosts = addresses.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).host] : [])).join(", ");
    return `It needs you to open a page${hosts === "" ? "" : ` at ${hosts}`} first, which only works during a call in a session. Have the model call one of its tools, or finish that step in your browser and try again.`;
  },
  sign_in_state: "This address belongs to no sign-in that is running. Sign in again; an address is valid once.",
  sign_in_denied: "The sign-in was refused. Sign in again, and allow access there.",
  sign_in_unsupported:
    'It offers no sign-in to unknown programs. Register one with its provider, then add "oauth": {"clientId": "…"} to its entry in the file.',
  sign_in_address: ({ host }) =>
    `The sign-in leads to ${host}, which isn't safe to open. Report this to those who run the server.`,
  sign_in_issuer: ({ issuer, expected }) =>
    issuer === undefined
      ? "The answer came from another sign-in service than the server named. Don't sign in; report this to those who run the server."
      : `The metadata of the sign-in service are wrong: their "issuer" is ${issuer}, and must be ${expected}. Report this to those who run the server.`,
  sign_in_resource: ({ resource }) =>
    `The server's page about its sign-in is for ${resource}, which is another server. Correct the address in the file, or report this to those who run the server.`,
  sign_in_port: ({ port }) =>
    `Port ${port} is in use, which "callbackPort" in the file names. End the program that uses it, then try again.`,
  sign_in_failed: "The sign-in failed. Try again later, or read the server's documentation.",
  pin_unknown: ({ name, registry }) =>
    `${registry} has no package ${name} that fits. Check its name in the file, and that you may read it.`,
  pin_unreachable: ({ registry }) => `${registry} can't be reached. Check your network, and press Pin again.`,
  pin_failed: ({ name }) =>
    `The package manager found no version of ${name}. See the details, or write the version into the file yourself, such as name@1.2.3.`,
  syntax: ({ path, line, column, expected = "" }) =>
    path === undefined
      ? `This isn't JSON: at column ${column}, ${expectedText(expected)} is expected. Correct it there.`
      : `${path} can't be read: in line ${line}, at column ${column}, ${expectedText(expected)} is expected. Correct it in that file, then try again.`,
  no_servers: ({ path, line }) =>
    path === undefined
      ? 'There is no "mcpServers" in it. Put the servers into that member.'
      : `${path} can't be read: in line ${line}, an object "mcpServers" is expected. Correct it in that file, then try again.`,
  repeated: ({ path, name }) =>
    path === undefined
      ? `"${name}" is there twice, and only the last one counts. Remove this one, or give it another name.`
      : `The file has "${name}" twice at one place, so gopi-web doesn't change it. Remove one of them there.`,
  name: ({ server }) => `The name "${server}" is empty or has more than 64 characters. Give it another one.`,
  same_name: ({ server, other }) => `The names "${server}" and "${other}" are the same. Rename one of them.`,
  target: ({ server }) => `"${server}" has neither a command nor an address. Add "command" or "url".`,
  address: ({ server }) => `The address of "${server}" doesn't start with http:// or https://. Correct it.`,
  field: ({ server, field }) => `"${field}" of "${server}" has a value of the wrong type. Correct it.`,
  too_many: ({ server }) => `There are more than 50 servers; "${server}" is left out. Remove some.`,
  missing_variables: ({ names = [] }) =>
    `These values aren't set: ${names.join(", ")}. Enter them on the server's page, or set them before you start gopi-web.`,
  untrusted: errors.sentences.untrusted,
  env_file: ({ path }) =>
    `Its file of variables can't be read: ${path}. Check that it is there and at most 64 KB, or correct envFile in the file.`,
  listed_above: "A server with this name is already listed above. Only one of them can be added.",
};

/** The same for errors without a reason. */
const sentences: ErrorSentences<Figures> = {
  exists: ({ name }) =>
    name === undefined
      ? "A server with this name is already in your file. Remove that one first, or rename this one."
      : `A server named "${name}" is already in your file. Remove that one first, or rename the new one.`,
  no_permission: "gopi-web may not read or write this file. Change its permissions, then try again.",
  bad_input: ({ path }) =>
    path === undefined
      ? "This can't be used as a server. Check it against the server's documentation."
      : "The file with your servers isn't valid JSON, so it can't be changed. Correct it first.",
  changed_meanwhile: "Its entry in the file has changed since you saw it. Check it, then try again.",
  tool_failed: "The server failed. The details have the reason; read its log, then try again.",
  timeout: ({ path }) => path && 'Reading this file takes too long. Paste its "mcpServers" part instead.',
  too_many: ({ limit }) =>
    limit === undefined ? undefined : `At most ${limit} servers can be in your file. Remove some first.`,
  too_large: ({ limit }, { bytes }) =>
    limit === undefined
      ? undefined
      : `This file is larger than ${bytes(limit).replaceAll("\u00a0", " ")}. Remove what isn't needed, or paste its "mcpServers" part.`,
};

export const mcp = {
  title: "MCP servers",
  about:
    "An MCP server is a program that offers tools to the model, such as a browser, a database or an issue tracker.",
  noProject: "MCP servers run in the folder of a project. Open a folder first.",
  failed: "Couldn't load the servers.",
  servers: "Servers",
  back: "All tools",
  missing: "This server is no longer in the list. Go back to all servers to see the others.",
  empty: "No servers yet",
  emptyNote:
    "Paste the configuration that a server's documentation shows, or import what another program on this machine uses. Nothing starts before you approve it.",
  paste: "Paste a configuration",
  importFrom: (programs: string) => `Import from ${programs}`,
  importFromTwo: (one: string, other: string) => `Import from ${one} and ${other}`,
  importMany: "Import from other programs",
  statuses: {
    unapproved: "Not approved",
    disabled: "Disabled",
    idle: "Not running, starts at its first call",
    starting: "Starting",
    running: "Running",
    failed: "Failed",
  },
  startingFor: (duration: string) => `Starting, ${duration}`,
  /** Statuses of a server at an address. */
  addressStatuses: {
    unapproved: "Not approved",
    disabled: "Disabled",
    idle: "Not connected, connects at its first call",
    starting: "Connecting",
    running: "Connected",
    failed: "Failed",
  },
  connectingFor: (duration: string) => `Connecting, ${duration}`,
  toolCount: (count: number) => (count === 1 ? "1 tool" : `${count} tools`),
  toolsOn: (on: number, count: number) => `${on} of ${count} tools on`,
  tokens: (tokens: string) => `${tokens} tokens`,
  allProjects: "in all projects",
  ofProject: (file: string) => `from this project's ${file}`,
  waiting: (count: number) => `${count} to approve`,
  /** The page of one server. */
  command: "Command",
  copyCommand: "Copy command",
  address: "Address",
  copyAddress: "Copy address",
  headers: "Headers",
  noHeaders: "None",
  listProblems: {
    unnamed: "Tools without a name are left out. The server has to name them.",
    too_many: "The list has more than 500 tools; the rest is left out. Set the server up to offer fewer, if it can.",
    too_large: "The list is too large; its rest is left out. Set the server up to offer fewer, if it can.",
    too_many_in_all:
      "All servers together have more than 2,000 tools; the model can't find the rest, which includes tools of this one. Switch off servers, or exclude tools in the file.",
    too_many_pages: "The list has too many parts; its rest is left out. Set the server up to offer fewer, if it can.",
  },
  envFile: "File of variables",
  variables: "Variables",
  noVariables: "None",
  file: "File",
  instructions: "Instructions",
  ownWords: "In the server's own words. gopi-web doesn't check them.",
  approveTitle: "Not approved yet",
  approveNote: "This command runs on this machine with your rights. Approve it only if you know where it comes from.",
  approveEffect:
    "This starts it once, lists its tools, and ends it. After that it starts when the model first calls one of its tools.",
  approveAddressNote:
    "This server receives what the model passes to its tools. Approve it only if you know who runs it.",
  approveAddressEffect:
    "This connects to it once, lists its tools, and disconnects. After that it is connected when the model first calls one of its tools.",
  approve: "Test and approve",
  retryTitle: "The last start failed",
  retryNote: "This starts it again, lists its tools, and ends it. It approves the tools as they are then.",
  retryAddressTitle: "The last connection failed",
  retryAddressNote: "This connects again, lists its tools, and disconnects. It approves the tools as they are then.",
  newestTitle: "Runs the newest version at each start",
  newest: (registry: string) =>
    `Each start runs the newest version of the package from ${registry}, which can be another one than the one you approved.`,
  pinYourself: "To keep one version, add it to the package's name in the project's file, such as name@1.2.3.",
  pinNote:
    "Pin finds the newest version with your own package manager, without installing or running anything, and writes it into the file. The server then needs your approval again.",
  pinVersion: "Pin",
  stopPin: "Stop",
  pinned: (version: string) => `Pinned to version ${version}. Approve the server to use it.`,
  /** Signing in to a server at an address. */
  signInTitle: "Sign-in",
  signInNote: "This server requires you to sign in. Nothing opens before you click.",
  scopeNote: (scopes: string) =>
    scopes === ""
      ? "This server needs another permission. Sign in again and allow it; what you allowed before is requested as well."
      : `This server needs another permission: ${scopes}. Sign in again and allow it; what you allowed before is requested as well.`,
  signIn: "Sign in",
  signInAt: "You sign in at this address. Open it only if you trust it:",
  openSignIn: (host: string) => `Open ${host}`,
  signInAgain: "Start again",
  signInAddress: "Whole address",
  signInElsewhere: "Is gopi-web on another device?",
  signInPasteNote:
    "Then the browser can't open the page that follows the sign-in. Copy that page's address, which begins with http://localhost, and paste it here within ten minutes.",
  signInPasteField: "Address after the sign-in",
  finishSignIn: "Finish",
  signedIn: "Signed in",
  signedOut: "Signed out",
  scopeMissing: "Signed in, with a permission missing",
  signOut: "Sign out",
  stop: "Stop",
  disable: "Disable",
  enable: "Enable",
  log: "Log",
  logTitle: (name: string) => `Log of ${name}`,
  logNote: "The last lines the server wrote beside its answers. Secrets are masked.",
  logEmpty: "The server has written nothing.",
  logFailed: "Couldn't load the log.",
  reload: "Load again",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeNote: (file: string) => `This deletes its entry in ${file} and its approval. A running process is ended.`,
  removeYes: "Remove server",
  removed: (name: string) => `${name} was removed.`,
  removeInFile: "The project's file defines this server. Remove it there.",
  withdraw: "Withdraw approval",
  untrusted: (files: string) =>
    `This project isn't trusted, so the servers in ${files} aren't read. You can trust its folder in Permissions.`,
  alsoIn: "Also in",
  alsoInNote: (files: string) => `${files}, which isn't used for this name.`,
  values: "Values",
  valuesNote: "The server gets these values of yours. What you enter here is stored in the key file and never shown.",
  valuesOfProject:
    "The project's file asks for these values of yours. Give them only to a server you trust. What you enter here is stored in the key file for this project alone, and never shown.",
  valueFrom: { stored: "Entered here", environment: "From gopi-web's environment", none: "Not set" },
  saveValue: (name: string) => `Save ${name}`,
  removeValue: (name: string) => `Remove ${name}`,
  /** The tools of a server. */
  tools: "Tools",
  noTools: "Its tools are listed once it is approved.",
  noneOffered: "This server offers no tools.",
  switchNote:
    "Switches apply at once to calls through the toolbox. Where the prompt itself contains these tools, they apply from the next session on. Pinned tools are described to the model first.",
  quoteNote: "Quoted texts are the server's own words.",
  ownTools: "Built-in tools and extensions",
  ownToolsNote:
    "A tool that is off isn't given to new sessions; one that the toolbox leads to can't be called in running sessions either. Skills have a page of their own.",
  ownToolsFailed: "Couldn't load the tools.",
  ownSources: { built_in: "built in", web: "web", memory: "memory", subagent: "subagents", channels: "channels" },
  ofExtension: (name: string) => `extension ${name}`,
  useTool: (name: string) => `Offer ${name} to the model`,
  pinTool: (name: string) => `Pin ${name}`,
  unpinTool: (name: string) => `Unpin ${name}`,
  parameters: "Parameters",
  description: "Description",
  unusable: "Can't be used",
  changesTitle: "The server's tools have changed",
  changesNote: "The model can't call these until you approve them.",
  toolStatuses: { new: "New", changed: "Changed", gone: "Gone" },
  goneNote: "The server doesn't offer it any more.",
  approveTool: "Approve",
  approveChange: "Approve change",
  forget: "Forget",
  actOn: (action: string, name: string) => `${action}: ${name}`,
  approveAll: (count: number) => `Approve all ${count}`,
  idNote: "The names of its tools begin with this.",
  approveOfProject: (file: string) => `It comes from this project's ${file}.`,
  changeOf: (part: string, name: string) => `${part} of ${name}, before and after`,
  /** Adding servers. */
  pasteNote:
    "Any form works: the JSON of Claude Desktop, Claude Code, Cursor, VS Code, Gemini CLI or opencode, one server alone, a command such as npx -y package or claude mcp add, or an https address. Nothing starts when you add it.",
  pasteField: "Configuration",
  importNote: "Nothing starts when you add it.",
  found: "Found servers",
  noneFound: "This text contains no servers.",
  choose: (name: string) => `Add ${name}`,
  secrets: (count: number, names: string) =>
    count === 1
      ? `1 secret is moved to the key file: ${names}`
      : `${count} secrets are moved to the key file: ${names}`,
  candidateVariables: (names: string) => `Variables: ${names}`,
  candidateHeaders: (names: string) => `Headers: ${names}`,
  add: (count: number) => (count === 1 ? "Add 1 server" : `Add ${count} servers`),
  addNone: "Add servers",
  added: (count: number) =>
    count === 1
      ? "1 server was added. Approve it before its first use."
      : `${count} servers were added. Approve each before its first use.`,
  inLine: (file: string, line: number) => `${file}, line ${line}`,
  line: (line: number) => `Line ${line}:`,
  problemsTitle: "Problems in the files",
  skippedServers: "Not usable as written",
  problems: { reasons, sentences },
};
