import { describe, expect, test } from "vitest";
import type { AgentError } from "@/lib/events/error";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNLate from "../../messages/zh-CN-late";
import { mcpErrorDetails, mcpErrorText } from "./mcp-error-text";

const english = { ...en, ...enLate };
const chinese = { ...zhCN, ...zhCNLate };

const cases: readonly (readonly [AgentError, string])[] = [
  [
    { code: "tool_failed", facts: { reason: "program_missing", program: "npx" } },
    'There is no program "npx" on this machine. It is part of Node.js: install that',
  ],
  [
    { code: "tool_failed", facts: { reason: "program_missing", program: "my-server" } },
    'There is no program "my-server" on this machine. Install it, or correct the command',
  ],
  [{ code: "tool_failed", facts: { reason: "folder_missing", folder: "/gone" } }, "Its folder /gone doesn't exist."],
  [{ code: "tool_failed", facts: { reason: "not_startable", program: "./run" } }, "The system refused to start ./run."],
  [{ code: "tool_failed", facts: { reason: "exited", exit: 2, signal: null } }, "It ended with exit code 2."],
  [
    { code: "tool_failed", facts: { reason: "exited", exit: null, signal: "SIGKILL" } },
    "It was ended by the signal SIGKILL.",
  ],
  [{ code: "tool_failed", facts: { reason: "exited", exit: null, signal: null } }, "It ended unexpectedly."],
  [{ code: "tool_failed", facts: { reason: "no_protocol", line: "hi" } }, "It writes something else than MCP."],
  [{ code: "tool_failed", facts: { reason: "no_version" } }, "It supports no version of MCP that gopi-web has."],
  [{ code: "tool_failed", facts: { reason: "refused" } }, "It answered with an error."],
  [{ code: "too_large", facts: { reason: "too_large" } }, "Its answer is larger than the limit."],
  [{ code: "aborted", facts: { reason: "closed" } }, "It was stopped."],
  [{ code: "timeout", facts: { reason: "no_answer", seconds: 90 } }, "It didn't answer within 1 min 30 s."],
  [{ code: "busy", facts: { reason: "starting", seconds: 61 } }, "It has been starting for 1 min 1 s."],
  [{ code: "tool_failed", facts: { reason: "waiting", failures: 5 } }, "It failed 5 times in a row"],
  [
    { code: "bad_input", facts: { reason: "syntax", line: 3, column: 14, expected: "," } },
    'This isn\'t JSON: at column 14, "," is expected.',
  ],
  [
    { code: "bad_input", facts: { reason: "syntax", line: 3, column: 1, expected: "a name in quotes" } },
    "This isn't JSON: at column 1, a name in quotes is expected.",
  ],
  [{ code: "bad_input", facts: { reason: "no_servers", line: 1 } }, 'There is no "mcpServers" in it.'],
  [
    { code: "bad_input", facts: { path: "/h/mcp.json", reason: "syntax", line: 3, column: 5, expected: "," } },
    '/h/mcp.json can\'t be read: in line 3, at column 5, "," is expected. Correct it in that file',
  ],
  [
    { code: "bad_input", facts: { path: "/h/mcp.json", reason: "no_servers", line: 2 } },
    '/h/mcp.json can\'t be read: in line 2, an object "mcpServers" is expected.',
  ],
  [{ code: "bad_input", facts: { reason: "name", server: "" } }, 'The name "" is empty'],
  [
    { code: "bad_input", facts: { reason: "same_name", server: "Git", other: "git" } },
    'The names "Git" and "git" are the same.',
  ],
  [
    { code: "bad_input", facts: { path: "/h/mcp.json", reason: "repeated", name: "a" } },
    'The file has "a" twice at one place',
  ],
  [
    { code: "bad_input", facts: { reason: "repeated", name: "a", line: 2 } },
    '"a" is there twice, and only the last one counts. Remove this one',
  ],
  [{ code: "bad_input", facts: { reason: "target", server: "a" } }, '"a" has neither a command nor an address.'],
  [{ code: "bad_input", facts: { reason: "address", server: "a" } }, 'The address of "a" doesn\'t start with http'],
  [
    { code: "bad_input", facts: { reason: "field", server: "a", field: "env" } },
    '"env" of "a" has a value of the wrong type.',
  ],
  [{ code: "bad_input", facts: { reason: "too_many", server: "a" } }, "There are more than 50 servers;"],
  [
    { code: "bad_input", facts: { reason: "missing_variables", names: ["API_KEY", "input:token"] } },
    "These values aren't set: API_KEY, input:token.",
  ],
  [{ code: "exists" }, "A server with this name is already in your file."],
  [{ code: "exists", facts: { name: "git" } }, 'A server named "git" is already in your file.'],
  [{ code: "exists", facts: { reason: "listed_above" } }, "A server with this name is already listed above."],
  [{ code: "tool_failed", facts: { reason: "unreachable", host: "a.example" } }, "a.example can't be reached."],
  [{ code: "tool_failed", facts: { reason: "cut", host: "a.example" } }, "The connection to a.example ended"],
  [{ code: "tool_failed", facts: { reason: "insecure", host: "a.example" } }, "The address of a.example doesn't start"],
  [
    { code: "tool_failed", facts: { reason: "redirected", address: "https://b.example/" } },
    "It redirects to https://b",
  ],
  [{ code: "tool_failed", facts: { reason: "forbidden", status: 403 } }, "It refused access (HTTP 403)."],
  [{ code: "tool_failed", facts: { reason: "http_status", status: 502 } }, "It answered with HTTP 502."],
  [{ code: "not_allowed", facts: { reason: "signed_out" } }, "You are signed out."],
  [{ code: "not_found", facts: { reason: "sign_in_state" } }, "This address belongs to no sign-in"],
  [{ code: "tool_failed", facts: { reason: "sign_in_denied" } }, "The sign-in was refused."],
  [{ code: "tool_failed", facts: { reason: "sign_in_unsupported" } }, "It offers no sign-in to unknown programs."],
  [{ code: "tool_failed", facts: { reason: "sign_in_address", host: "10.0.0.1" } }, "The sign-in leads to 10.0.0.1,"],
  [{ code: "tool_failed", facts: { reason: "sign_in_issuer" } }, "The answer came from another sign-in service"],
  [{ code: "tool_failed", facts: { reason: "sign_in_port", port: 3118 } }, "Port 3118 is in use"],
  [{ code: "tool_failed", facts: { reason: "sign_in_failed" } }, "The sign-in failed."],
  [{ code: "tool_failed", facts: { reason: "session_expired" } }, "It ended the session."],
  [
    {
      code: "not_allowed",
      facts: {
        reason: "address_required",
        addresses: [{ mode: "url", message: "", url: "https://a.example/x", elicitationId: "" }],
      },
    },
    "It needs you to open a page at a.example first",
  ],
  [
    { code: "tool_failed", facts: { reason: "no_protocol", line: "", host: "a.example" } },
    "a.example answers with something else",
  ],
  [{ code: "bad_input", facts: { reason: "untrusted" } }, "This folder isn't trusted yet."],
  [{ code: "bad_input", facts: { path: "/h/mcp.json" } }, "The file with your servers isn't valid JSON"],
  [{ code: "changed_meanwhile" }, "Its entry in the file has changed since you saw it."],
  [{ code: "too_many", facts: { limit: 50 } }, "At most 50 servers can be in your file."],
  [{ code: "too_large", facts: { path: "/h/mcp.json", limit: 1_000_000 } }, "This file is larger than 1 MB."],
  [{ code: "not_found" }, "This server is no longer in the list."],
  [{ code: "no_permission" }, "gopi-web may not read or write this file."],
  [{ code: "bad_input" }, "This can't be used as a server."],
  [{ code: "tool_failed" }, "The server failed."],
  [{ code: "disk_full" }, "The disk is full."],
];

describe.each(cases)("the error %j", (error, start) => {
  test("is a sentence with the next step", () => {
    const text = mcpErrorText(error, english);
    expect(text.startsWith(start)).toBe(true);
    expect(text.split(/[.;:] /).length).toBeGreaterThan(1);
  });

  test("is written in Chinese, with the same facts", () => {
    const text = mcpErrorText(error, chinese);
    expect(text).toMatch(/\p{Script=Han}.*[。]$/u);
    for (const fact of ["npx", "my-server", "/gone", "./run", "SIGKILL", "API_KEY, input:token"])
      expect(text.includes(fact)).toBe(mcpErrorText(error, english).includes(fact));
  });
});

test.each<[AgentError, string]>([
  [{ code: "tool_failed", facts: { reason: "exited", exit: 1, signal: null, lines: ["one", "two"] } }, "one\ntwo"],
  [{ code: "tool_failed", facts: { reason: "no_protocol", line: "Listening" } }, "Listening"],
  [{ code: "tool_failed", detail: "EACCES", facts: { reason: "not_startable", program: "a" } }, "EACCES"],
  [{ code: "tool_failed", facts: { reason: "no_version" } }, ""],
])("the details of %j are what was written", (error, text) => expect(mcpErrorDetails(error)).toBe(text));
