/** The tour as a connection: its model streams the answers that are written in advance. Requests nothing. */
import { ok } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { ModelInfo } from "@/lib/models/models";
import { tourConnectionId } from "@/lib/models/tour";
import { pause } from "@/server/base/abort";
import type { ManagedConnection } from "@/server/models/connections/active-connection";
import type { CheckedProvider, ModelPart } from "@/server/providers/provider";
import { type TourAnswer, tourAnswer } from "./tour-answer";

const model: ModelInfo = {
  name: "scripted",
  contextLength: 32_768,
  capabilities: ["completion", "tools", "thinking"],
  cloud: false,
};

/** Never requested. */
const placeholderUrl = "http://tour.localhost/v1";
/** Speed of the answers: pieces of a word as a fast model writes them. */
const pieceChars = 4;
const defaultPieceMs = 12;

interface TourOptions {
  /** Only new sessions of this project use it; default: all. */
  readonly projectId?: ProjectId;
  /** Pause before each piece. */
  readonly pieceMs?: number;
}

export function makeTourConnection({ projectId, pieceMs = defaultPieceMs }: TourOptions = {}): ManagedConnection {
  return {
    toConnection: () => ({
      id: tourConnectionId,
      name: "gopi-web",
      preset: tourConnectionId,
      baseUrl: placeholderUrl,
      model: model.name,
      numCtx: 0,
      key: { from: "none" },
      local: true,
      ...(projectId !== undefined && { projectId }),
    }),
    provider: makeTourProvider(pieceMs),
    lastList: () => [model],
    hasWholeList: true,
    fetchList: () => Promise.resolve(ok([model])),
    detectOllama: () => Promise.resolve(null),
    close() {},
  };
}

const makeTourProvider = (pieceMs: number): CheckedProvider => ({
  id: tourConnectionId,
  models: () => Promise.resolve([model]),
  async *stream({ messages }, signal) {
    for (const part of answerParts(tourAnswer(messages))) {
      if (!(await pause(pieceMs, signal))) return;
      yield part;
    }
  },
  // It has no settings that could be wrong.
  async *check() {},
});

const pieces = (text: string): readonly string[] => text.match(new RegExp(`.{1,${pieceChars}}`, "gsu")) ?? [];

/** Nothing is counted, so no speed is shown. */
const answerParts = ({ thinking, text, calls }: TourAnswer): readonly ModelPart[] => [
  ...pieces(thinking).map((piece): ModelPart => ({ type: "thinking", text: piece })),
  ...pieces(text).map((piece): ModelPart => ({ type: "text", text: piece })),
  ...calls.map((call): ModelPart => ({ type: "call", ...call })),
  {
    type: "finish",
    stop: "done",
    usage: { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 0, outputMs: 0 },
  },
];
