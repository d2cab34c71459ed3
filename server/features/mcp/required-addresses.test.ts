/** Calls of a real server that fail until the user has finished at an address. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { fail, type Result } from "@/lib/events/error";
import type { ForeignResult } from "@/server/tools/toolbox/foreign-result";
import type { ElicitationAnswer } from "./elicitation";
import { describeFailure, failMcp } from "./failure";
import { callWithAddresses } from "./questions";
import {
  beginAskingCall,
  callsOf,
  lastCallOutput,
  makeMcpRig,
  type McpRig,
  questionsOf,
  succeed,
  waitForQuestion,
} from "./test-feature";
import { makeTestClock, never } from "./test-mcp";

const program = join(dirname(fileURLToPath(import.meta.url)), "__fixtures__/address-server.mjs");
const placeOf = ({ harness }: McpRig): string => join(harness.userHome, "consent");
const begin = (rig: McpRig, url: readonly string[] = [], origin?: { readonly kind: "cli" }) =>
  beginAskingCall(
    rig,
    { calendar: { command: process.execPath, args: [program, placeOf(rig), ...url] } },
    "calendar__read_calendar",
    origin,
  );
const finishThere = (rig: McpRig): void => writeFileSync(`${placeOf(rig)}.done`, "");

describe("a call that needs an address", () => {
  test("shows the address, and is sent once more when the user has finished", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    const question = await waitForQuestion(rig);
    const [call] = callsOf(rig.session.view);
    expect(question).toMatchObject({
      server: "calendar",
      callId: call?.callId,
      message: "Allow access to the calendar.",
      asks: { kind: "url", url: "https://consent.example/start?user=1", waitsForEnd: true },
    });
    finishThere(rig);
    succeed(await rig.commands["mcp.answer"]({ question: question.id, action: "accept" }));
    await done;
    expect(lastCallOutput(rig)).toContain("Lunch at noon.");
    expect(await questionsOf(rig)).toEqual([]);
  });

  test("is sent once more when the server reports that the user has finished", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    await waitForQuestion(rig);
    finishThere(rig);
    writeFileSync(`${placeOf(rig)}.told`, "");
    await done;
    expect(lastCallOutput(rig)).toContain("Lunch at noon.");
    expect(await questionsOf(rig)).toEqual([]);
  });

  test.each([
    ["decline", "The user declined."],
    ["cancel", "The user declined."],
    ["accept", "The user has opened it, and the server still requires it."],
  ] as const)("ends with what is needed after %s without the step", async (action, expected) => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    const { id: question } = await waitForQuestion(rig);
    succeed(await rig.commands["mcp.answer"]({ question, action }));
    await done;
    expect(lastCallOutput(rig)).toContain("first, at consent.example.");
    expect(lastCallOutput(rig)).toContain(expected);
    expect(lastCallOutput(rig)).toContain("[from calendar] The calendar is not connected.");
    expect(lastCallOutput(rig)).not.toContain("user=1");
  });

  test("ends without a question in a run that has no user", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig, [], { kind: "cli" });
    await done;
    expect(lastCallOutput(rig)).toContain("No user is there to open it.");
    expect(rig.pushes).not.toContain("questions");
  });

  test("ends without a question if the address is no page", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig, ["file:///etc/passwd"]);
    await done;
    expect(lastCallOutput(rig)).toContain("names none that can be shown");
    expect(rig.pushes).not.toContain("questions");
  });

  test("ends its question when the user stops the run", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    await waitForQuestion(rig);
    await rig.session.abort();
    await done;
    expect(await questionsOf(rig)).toEqual([]);
  });
});

describe("several addresses", () => {
  const address = (host: string) =>
    ({ mode: "url", message: "", url: `https://${host}/`, elicitationId: host }) as const;
  const required = failMcp({ reason: "address_required", addresses: [address("a.example"), address("b.example")] });
  const callWith = (ask: (url: string) => Promise<ElicitationAnswer>, clock = makeTestClock()) => {
    let calls = 0;
    const run = (): Promise<Result<ForeignResult>> => {
      calls += 1;
      return Promise.resolve(calls === 1 ? required : fail("internal"));
    };
    const isAttended = (): boolean => true;
    const askUrl = (request: { readonly mode: string; readonly url?: string }) => ask(request.url ?? "");
    return callWithAddresses({ run, isAttended, ask: askUrl }, clock, never);
  };

  test("are asked one after the other before the call is sent again", async () => {
    const requests: string[] = [];
    const result = await callWith((url) => {
      requests.push(url);
      return Promise.resolve({ action: "accept", content: {} });
    });
    expect(requests).toEqual(["https://a.example/", "https://b.example/"]);
    expect(result).toMatchObject({ error: { code: "internal" } });
  });

  test("end the call ten minutes after the first that is not answered", async () => {
    const clock = makeTestClock();
    const result = callWith(() => new Promise(() => {}), clock);
    await clock.untilWaiting(600_000);
    clock.advance(600_000);
    const ended = await result;
    if (ended.ok) throw new Error("it succeeded");
    expect(describeFailure("s", ended.error)).toContain("at a.example, b.example. Nobody answered within 10 minutes.");
  });
});
