/** Messages of APIs in the settings of tools. */
import type { ApiTextReason } from "@/lib/events/error-reasons";
import type { ErrorSentences, ReasonSentences } from "@/lib/events/error-sentences";
import type { ApiSkipKind, ApiToolStatus } from "@/lib/tools/openapi";

const skips: { readonly [kind in ApiSkipKind]: (detail: string) => string } = {
  foreign_reference: (detail) => `A part of it is in another document, which is not fetched: ${detail}`,
  missing_reference: (detail) => `A part of it is missing: ${detail}`,
  circular_reference: (detail) => `Its references lead in a circle: ${detail}`,
  method: (detail) => `Requests of the kind ${detail} are not sent.`,
  body_type: (detail) => `Its content must be ${detail}, which can't be written as fields.`,
  file: (detail) => (detail === "" ? "It needs a file." : `It needs a file: ${detail}`),
  parameter: (detail) => `It needs ${detail}, which can't be written in a request.`,
  other_host: (detail) => `It is at another host: ${detail}`,
  schema: (detail) => `It can't be used: ${detail}`,
  limit: (detail) => `It comes after the first ${detail} operations.`,
};

const statuses: { readonly [status in ApiToolStatus]: string } = {
  ready: "On",
  off: "Off",
  new: "New",
  changed: "Changed",
  gone: "Removed",
};

/** Why the description of an API cannot be used. */
const reasons: ReasonSentences<ApiTextReason> = {
  address: "This is no address of http or https.",
  empty: "There is no text. Paste the whole description.",
  html: "This is a web page, not a description. Use the address of the JSON or YAML file.",
  syntax: ({ line }) => `Neither JSON nor YAML: mistake in line ${line}. Correct it, and add it again.`,
  not_openapi: "This is no OpenAPI description. Look for a file named openapi.json or swagger.yaml.",
  swagger_1: "Swagger 1 is too old. Ask for a description in OpenAPI 3 or Swagger 2.",
  version: ({ version = "" }) => `Version ${version} is not supported. OpenAPI 3.0 to 3.2 and Swagger 2 are.`,
  no_operations: "The description has no operations. Check that it is complete.",
  too_complex: "The description takes too long to read, or too much memory. Use a smaller one.",
  upload: "Choose the file again, or paste the text again.",
  key: "A key can have only characters of a header: no line breaks, no Chinese.",
  key_pair: "Write user name and password as name:password.",
  http_status: ({ host, status }) => `${host} answered with ${status}. Check the address.`,
  not_public: ({ host }) => `${host} leads to a private address. Use the address itself if you mean it.`,
  redirected: ({ host, address }) => `${host} leads to ${address}. Use that address.`,
};

/** The same for errors without a reason. */
const sentences: ErrorSentences = {
  too_large: "The description is larger than 20 MB. Use a smaller one.",
  exists: ({ name = "", id = "" }) =>
    `This API is already added: ${name}${name === id ? "" : ` (${id})`}. Open it in the list, and use Load again there.`,
  too_many: ({ limit = 0 }) => `There can be ${limit} APIs. Remove one first.`,
  changed_meanwhile: "It has changed in the meantime. Look at it again.",
};

export const apis = {
  title: "APIs",
  about:
    "A description in the OpenAPI format makes each operation of an API a tool, in all projects. Nothing is sent before you allow it.",
  failed: "Couldn't load the APIs.",
  missing: "This API is not here any more.",
  back: "All tools",
  add: "Add an API",
  addTitle: "Add an API",
  source: "Where the description is",
  sources: { url: "Address", file: "File", paste: "Text" },
  urlField: "Address of the description",
  urlNote: "OpenAPI 3 or Swagger 2, as JSON or YAML. Only this address is read.",
  fileNote: "Up to 20 MB, JSON or YAML.",
  chooseFile: "Choose a file",
  pasteField: "Text of the description",
  reading: "Reading the description",
  addNow: "Add",
  tools: (tools: number, operations: number) =>
    tools === operations
      ? tools === 1
        ? "1 operation"
        : `${tools} operations`
      : `${tools} of ${operations} operations`,
  confirmFirst: "Address not confirmed",
  disabled: "Off",
  waiting: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
  confirmTitle: "Confirm where requests go",
  confirmNote:
    "The description names this address; you didn't type its host. Its tools can be used when you confirm it. Keys that you store are sent there.",
  noAddressNote: "The description names no address. Enter the one of the API.",
  privateNote: "This address is on this machine or in your network.",
  address: "Address of the API",
  confirm: "Confirm address",
  saveAddress: "Save",
  requests: "Requests go to",
  keys: "Keys",
  keysNote:
    "They are stored in the key file. The model never sees them; they are masked where the server repeats them.",
  keyOf: (name: string) => `Key of ${name}`,
  keyPlaces: {
    header: (label: string) => `Sent as the header ${label}`,
    query: (label: string) => `Sent in the address as ${label}`,
    cookie: (label: string) => `Sent as the cookie ${label}`,
    basic: () => "User name and password, written name:password",
    bearer: () => "Sent as a bearer token",
  },
  pastedToken: "A token that you got elsewhere, sent as a bearer token",
  keyUnsupported: (label: string) => `Not supported: ${label}`,
  keyStored: "A key is stored.",
  removeKey: "Remove key",
  saveKey: "Save",
  loadAgain: "Load again",
  newText: "New text",
  loaded: (waiting: number) =>
    waiting === 0 ? "Nothing has changed." : `Loaded. Changes that wait for you: ${waiting}`,
  enable: "Switch on",
  disable: "Switch off",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeNote: "Its tools, keys, approvals and rules are deleted.",
  removeYes: "Remove",
  removed: (name: string) => `${name} was removed.`,
  skippedTitle: (count: number) => (count === 1 ? "1 operation can't be a tool" : `${count} operations can't be tools`),
  skips,
  toolsTitle: "Operations",
  search: "Search operations",
  noMatches: "No operation matches.",
  allWaiting:
    "These operations wait for you. Approve them above, under “Changes that wait for you”; then they are here.",
  noneUsable: "None of its operations can be a tool. The list below says why.",
  shown: (shown: number, total: number) => `${shown} of ${total}`,
  more: "Show more",
  allOn: "All on",
  allOff: "All off",
  statuses,
  changesTitle: "Changes that wait for you",
  changesNote: "These operations are off until you approve them as they are now.",
  approve: "Approve",
  approveShown: (count: number) => `Approve all ${count}`,
  forget: "Forget",
  damaged: (id: string) => `The folder of ${id} can't be read. Remove it, and add the API again.`,
  review: "Show request",
  reviewNote: "This is sent now, with the keys that you stored:",
  send: "Send",
  noFields: "This operation needs no input.",
  problems: {
    reasons,
    sentences,
    syntaxAtReload: (line: number | undefined) =>
      `Neither JSON nor YAML: mistake in line ${line}. Correct it, and load it again.`,
    staysLoaded: "The loaded version stays in use.",
    unreachable: (host: string) => `${host} can't be reached. Check the address and the network.`,
  },
};
