import { expect, test } from "vitest";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import type { PhaseView } from "@/lib/view/view";
import { type PhaseDescription, describePhase } from "./describe-phase";
import { formatPhaseChip } from "./phase-chip";

const words = { ...en, ...enConversation };
const now = 1_000_000;
const phaseAt = (phase: PhaseView["phase"], agoMs: number, more: Partial<PhaseView> = {}): PhaseView => ({
  phase,
  sinceMs: now - agoMs,
  ...more,
});

test.each<[string, PhaseView, Pick<PhaseDescription, "text" | "time" | "offer">]>([
  [
    "one request ahead: moving first would change nothing",
    phaseAt("queued", 4_000, { ahead: 1 }),
    { text: "Waiting behind 1 request", time: "4 s", offer: null },
  ],
  [
    "several requests ahead can be overtaken",
    phaseAt("queued", 400, { ahead: 2 }),
    { text: "Waiting behind 2 requests", time: "", offer: "runFirst" },
  ],
  [
    "an unknown queue position is omitted",
    phaseAt("queued", 0),
    { text: "Waiting for another session", time: "", offer: null },
  ],
  [
    "the place in the server's own queue",
    phaseAt("queued", 4_000, { position: 3 }),
    { text: "Position 3 in the model server's queue", time: "4 s", offer: null },
  ],
  [
    "loading shows its expected duration",
    phaseAt("loading", 5_200, { expectMs: 12_400 }),
    { text: "Loading model into memory", time: "5 s of about 12 s", offer: null },
  ],
  [
    "first loading shows elapsed seconds only",
    phaseAt("loading", 5_200),
    { text: "Loading model into memory", time: "5 s", offer: null },
  ],
  [
    "reading that has just begun shows the expected duration",
    phaseAt("reading", 100, { tokens: 6_200, expectMs: 9_000 }),
    { text: "Reading 6.2k tokens", time: "about 9 s", offer: null },
  ],
  [
    "reading that takes longer than usual shows both durations",
    phaseAt("reading", 14_000, { tokens: 6_200, expectMs: 9_000 }),
    { text: "Reading 6.2k tokens", time: "14 s, usually about 9 s", offer: null },
  ],
  [
    "reading shows how much has been read, by the server's count",
    phaseAt("reading", 2_000, { tokens: 12_000, read: 4_096, expectMs: 9_000 }),
    { text: "Reading 4k of 12k tokens", time: "2 s of about 9 s", offer: null },
  ],
  [
    "an expected duration below one second is omitted",
    phaseAt("reading", 2_000, { tokens: 100, expectMs: 300 }),
    { text: "Reading 100 tokens", time: "2 s", offer: null },
  ],
  [
    "short thinking has no answer-now offer",
    phaseAt("thinking", 2_999, { tokens: 90 }),
    { text: "Thinking, 90 tokens", time: "3 s", offer: null },
  ],
  [
    "long thinking has an answer-now offer",
    phaseAt("thinking", 3_000, { tokens: 412 }),
    { text: "Thinking, 412 tokens", time: "3 s", offer: "answerNow" },
  ],
  [
    "writing shows its speed",
    phaseAt("writing", 3_000, { perSecond: 31 }),
    { text: "Writing, 31 tok/s", time: "3 s", offer: null },
  ],
  [
    "a call shows its tool",
    phaseAt("calling", 12_000, { name: "write" }),
    { text: "Preparing write", time: "12 s", offer: null },
  ],
  [
    "a start time in the future counts as zero",
    phaseAt("thinking", -5_000),
    { text: "Thinking", time: "", offer: null },
  ],
])("%s", (_name, phase, expected) => {
  expect(describePhase(phase, { now, lastEventAt: now }, words)).toEqual<PhaseDescription>({
    ...expected,
    silenceMs: null,
  });
});

test.each<[string, PhaseView, number, number | null]>([
  ["30 s without an event are reported", phaseAt("writing", 60_000), 30_000, 30_000],
  ["29 s are not", phaseAt("writing", 60_000), 29_000, null],
  [
    "a phase expected to take a minute may be silent for it",
    phaseAt("reading", 80_000, { expectMs: 60_000 }),
    80_000,
    null,
  ],
  ["and 30 s more", phaseAt("reading", 90_000, { expectMs: 60_000 }), 90_000, 90_000],
  ["a queued request is never reported", phaseAt("queued", 600_000, { ahead: 2 }), 600_000, null],
])("silence: %s", (_name, phase, silentMs, quietMs) => {
  expect(describePhase(phase, { now, lastEventAt: now - silentMs }, words).silenceMs).toBe(quietMs);
});

test.each<[PhaseView, string]>([
  [phaseAt("queued", 9_000, { ahead: 2 }), "queued, 2 ahead"],
  [phaseAt("loading", 8_000, { expectMs: 12_000 }), "loading model 8 s"],
  [phaseAt("reading", 4_000, { tokens: 6_200 }), "reading 6.2k tokens · 4 s"],
  [phaseAt("thinking", 900), "thinking"],
  [phaseAt("writing", 4_000, { perSecond: 31 }), "writing"],
  [phaseAt("calling", 12_000, { name: "write" }), "preparing write 12 s"],
  [phaseAt("queued", 2_000, { position: 3 }), "queued, position 3"],
])("in the status bar %#: %j", (phase, text) => {
  expect(formatPhaseChip(phase, now, words)).toBe(text);
});
