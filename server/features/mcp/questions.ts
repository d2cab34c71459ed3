/**
 * Questions of servers that wait for the user. Before the revision of 2026 a server does not say which of its calls asks, and
 * the client does not pass on the stream or the request by which a question came. A question therefore belongs to the
 * newest call of its server in its project only if all its calls there are of one session that a user follows. While one of
 * them is of another session, of a run without a user or of a trial, it is declined: it might be shown below the wrong call.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import type { AddressOutcome } from "@/lib/events/error-reasons";
import { isReasoned } from "@/lib/events/error-sentences";
import type { ParentCall } from "@/lib/events/event";
import {
  checkElicited,
  type ElicitationView,
  type ElicitedContent,
  readElicitationFields,
} from "@/lib/tools/elicitation";
import {
  answerMs,
  type Elicit,
  type ElicitationAnswer,
  type ElicitationRequest,
  elicitWithin,
  isUnanswered,
} from "./elicitation";
import { idOfServer, type ServerKey } from "./server-life";
import type { ForeignResult } from "@/server/tools/toolbox/foreign-result";
import type { Clock } from "./call-limit";
import { failMcp, failureReason } from "./failure";

/** More at once are declined. */
const maxQuestions = 20;

/** A call of a server's tool that runs. */
interface AskingCall {
  /** Null = the owner tries the tool, outside of a session: nothing shows a question. */
  readonly id: ParentCall | null;
  /** Name of the server, for the user. */
  readonly name: string;
  /** False = no user can answer: the command line started the run. */
  isAttended(): boolean;
  /** A question of the server during the call was not answered in time. */
  onUnanswered?(): void;
  readonly signal: AbortSignal;
}

export interface Questions {
  list(): readonly ElicitationView[];
  /** Runs a call, during which its server may ask. */
  during<T>(key: ServerKey, call: AskingCall, work: () => Promise<T>): Promise<T>;
  /** Rejects when the signal fires. */
  ask(key: ServerKey, request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** The same of a question that certainly belongs to this call, which waits for it and has not ended. */
  askDuring(
    key: ServerKey,
    call: AskingCall,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer>;
  /** The user has finished at an address: what waits for that is answered. */
  finish(key: ServerKey, elicitationId: string): void;
  /** Fails with not_found when it does not wait any more, and with bad_input when the values do not fit. */
  answer(id: string, action: ElicitationAnswer["action"], content: ElicitedContent): Result<null>;
}

interface Question {
  readonly view: ElicitationView;
  /** Address of the server, or the one that a call required; null = another question. */
  readonly address: string | null;
  resolve(answer: ElicitationAnswer): void;
}

interface QuestionsOptions {
  now(): number;
  makeId(): string;
  /** The list has changed. */
  onChange(): void;
}

type AttendedCall = AskingCall & { readonly id: ParentCall };

/** Null = no call, or one that could be another's question. */
function findAskingCall(calls: readonly AskingCall[]): AttendedCall | null {
  const running = calls.filter(({ signal }) => !signal.aborted);
  const newest = running.at(-1);
  if (newest === undefined || newest.id === null) return null;
  const { sessionId } = newest.id;
  const isCertain = running.every((one) => one.isAttended() && one.id?.sessionId === sessionId);
  return isCertain ? { ...newest, id: newest.id } : null;
}

const addressOf = (key: ServerKey, elicitationId: string): string => JSON.stringify([idOfServer(key), elicitationId]);

export function makeQuestions({ now, makeId, onChange }: QuestionsOptions): Questions {
  const waiting = new Map<string, Question>();
  const calls = new Map<string, readonly AskingCall[]>();
  const close = (id: string): void => {
    if (waiting.delete(id)) onChange();
  };
  const wait = (
    key: ServerKey,
    call: AttendedCall | null,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> => {
    const asks = toAsks(request);
    if (call === null || asks === null || waiting.size >= maxQuestions) return Promise.resolve({ action: "decline" });
    const id = makeId();
    const { name: server } = call;
    const elicitationId = request.mode === "url" ? request.elicitationId : undefined;
    const view: ElicitationView = { id, ...call.id, server, message: request.message, until: now() + answerMs, asks };
    return new Promise((resolve, reject) => {
      const either = AbortSignal.any([signal, call.signal]);
      const end = (): void => {
        close(id);
        reject(either.reason);
      };
      either.addEventListener("abort", end, { once: true });
      waiting.set(id, {
        view,
        address: elicitationId === undefined ? null : addressOf(key, elicitationId),
        resolve(answer) {
          either.removeEventListener("abort", end);
          close(id);
          resolve(answer);
        },
      });
      onChange();
      if (either.aborted) end();
    });
  };
  return {
    list: () => [...waiting.values()].map(({ view }) => view),
    async during(key, call, work) {
      const id = idOfServer(key);
      calls.set(id, [...(calls.get(id) ?? []), call]);
      try {
        return await work();
      } finally {
        const left = (calls.get(id) ?? []).filter((one) => one !== call);
        if (left.length === 0) calls.delete(id);
        else calls.set(id, left);
      }
    },
    ask(key, request, signal) {
      const call = findAskingCall(calls.get(idOfServer(key)) ?? []);
      const end = (): void => {
        if (isUnanswered(signal)) call?.onUnanswered?.();
      };
      signal.addEventListener("abort", end, { once: true });
      return wait(key, call, request, signal);
    },
    askDuring: (key, call, request, signal) =>
      wait(key, call.id !== null && call.isAttended() ? { ...call, id: call.id } : null, request, signal),
    finish(key, elicitationId) {
      const finished = addressOf(key, elicitationId);
      for (const { address, resolve } of [...waiting.values()])
        if (address === finished) resolve({ action: "accept", content: {} });
    },
    answer(id, action, content) {
      const question = waiting.get(id);
      if (question === undefined) return fail("not_found");
      if (action !== "accept") question.resolve({ action });
      else {
        const { asks } = question.view;
        const checked = asks.kind === "form" ? checkElicited(asks.fields, content) : {};
        if (checked === null) return fail("bad_input");
        question.resolve({ action, content: checked });
      }
      return ok(null);
    },
  };
}

/** Null = it cannot be shown. */
function toAsks(request: ElicitationRequest): ElicitationView["asks"] | null {
  if (request.mode === "url")
    return { kind: "url", url: request.url, waitsForEnd: request.elicitationId !== undefined };
  const fields = readElicitationFields(request.schema);
  return fields === null ? null : { kind: "form", fields };
}

interface RefusableCall {
  /** Sends the call. */
  run(): Promise<Result<ForeignResult>>;
  /** False = no user can answer. */
  isAttended(): boolean;
  readonly ask: Elicit;
}

/** Fails with `address_required`, and what came of it, if the user has not finished at all addresses. */
export async function callWithAddresses(
  { run, isAttended, ask }: RefusableCall,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<ForeignResult>> {
  const first = await run();
  if (first.ok) return first;
  const { detail, facts } = first.error;
  if (!isReasoned<"address_required">({ address_required: true }, facts)) return first;
  const { addresses } = facts;
  const failWith = (outcome: AddressOutcome) => failMcp({ reason: "address_required", addresses, outcome }, detail);
  if (addresses.length === 0) return first;
  if (!isAttended()) return failWith("unattended");
  for (const address of addresses) {
    const { action } = await elicitWithin(ask, address, clock, signal);
    if (action !== "accept") return failWith(action === "unanswered" ? "unanswered" : "declined");
  }
  const second = await run();
  return !second.ok && failureReason(second.error) === "address_required" ? failWith("repeated") : second;
}
