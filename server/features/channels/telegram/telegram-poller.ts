/** Receives the updates of a bot by long polling: each is confirmed to the server after it was stored. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import { pause } from "@/server/base/abort";
import { beginTimeSlice } from "@/server/base/steps";
import type { ChannelReceiver, ChannelState, ReceivedUpdate } from "../channel";
import type { TelegramClient, TelegramFailure } from "./telegram-client";
import { backOff, type TelegramTimings } from "./telegram-timings";
import { type NumberedUpdate, readTelegramUpdate, type TelegramPressUpdate } from "./telegram-update";

interface TelegramPollerOptions {
  readonly client: TelegramClient;
  readonly timings: TelegramTimings;
  /** Removes a webhook, so that the updates come here. */
  readonly takeOver: boolean;
  /** ms epoch */
  now(): number;
  log(line: string): void;
  acknowledge(queryId: string, text: string | undefined): Promise<void>;
}

/** Updates of one poll; the server sends 100 at most. */
const batchSize = 100;
/** Opens a chat with the bot, which gets `/start` with the text that is appended. */
const linkAddress = (username: string): string => `https://t.me/${username}?start=`;

type Failure =
  | TelegramFailure
  | { readonly kind: "stopped"; readonly error: AgentError }
  | { readonly kind: "not_stored" };
type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

const stopped = (error: AgentError): Answer<never> => ({ ok: false, failure: { kind: "stopped", error } });

/** Receives until the signal fires or the owner is needed. Never rejects. */
export async function pollTelegram(
  options: TelegramPollerOptions,
  receiver: ChannelReceiver,
  signal: AbortSignal,
): Promise<void> {
  const { timings, now, log } = options;
  let online: Extract<ChannelState, { readonly kind: "online" }> | null = null;
  let isOnline = false;
  let failures = 0;
  let offset: number | undefined;
  /** A problem that lasts is one line. */
  let logged: ErrorCode | null = null;
  receiver.stateChanged({ kind: "connecting" });
  while (!signal.aborted) {
    const isLong = isOnline;
    const answer = await attempt();
    if (signal.aborted) return;
    if (answer.ok) {
      // A short poll succeeds also beside another program.
      if (!isLong) continue;
      failures = 0;
      logged = null;
      continue;
    }
    const problem = toProblem(answer.failure, (failures += 1), timings);
    isOnline = false;
    if (problem.error.code !== logged) log(`telegram: ${problem.error.code} ${problem.error.detail ?? ""}`.trimEnd());
    logged = problem.error.code;
    if (problem.waitMs === null) return receiver.stateChanged({ kind: "stopped", error: problem.error });
    receiver.stateChanged({ kind: "waiting", error: problem.error, retryAt: now() + problem.waitMs });
    await pause(problem.waitMs, signal);
  }

  async function attempt(): Promise<Answer<null>> {
    if (online === null) {
      const identity = await identify(options, signal);
      if (!identity.ok) return identity;
      online = { kind: "online", name: `@${identity.value}`, address: linkAddress(identity.value) };
    }
    const batch = await poll(options, { offset, isLong: isOnline }, signal);
    if (!batch.ok) return batch;
    if (!isOnline) receiver.stateChanged(online);
    isOnline = true;
    const stored = await store(batch.value);
    return stored ? { ok: true, value: null } : { ok: false, failure: { kind: "not_stored" } };
  }

  /**
   * Stores updates and moves the offset, which confirms the ones before it: the server may send them in any order. Without new
   * updates there is no offset: after a week the numbers begin at any other one.
   */
  async function store(batch: readonly NumberedUpdate[]): Promise<boolean> {
    const numbers = batch.map(({ number }) => number);
    offset = batch.length === 0 ? undefined : Math.min(...numbers);
    const slice = beginTimeSlice();
    for (const [index, { update }] of batch.entries()) {
      // The receiver may store without waiting.
      if (slice.isOver()) await slice.next();
      try {
        if (update !== null) await receiver.received(withReaction(update, options));
      } catch {
        offset = Math.min(...numbers.slice(index));
        return false;
      }
    }
    if (batch.length > 0) offset = Math.max(...numbers) + 1;
    return true;
  }
}

const withReaction = (
  update: Exclude<NumberedUpdate["update"], null>,
  { acknowledge }: TelegramPollerOptions,
): ReceivedUpdate => (update.kind === "message" ? update : toPress(update, acknowledge));

function toPress(
  { queryId, ...press }: TelegramPressUpdate,
  acknowledge: TelegramPollerOptions["acknowledge"],
): ReceivedUpdate {
  return { ...press, acknowledge: (text) => acknowledge(queryId, text) };
}

/** Resolves with the user name of the bot, whose updates may be polled. */
async function identify(
  { client, timings, takeOver }: TelegramPollerOptions,
  signal: AbortSignal,
): Promise<Answer<string>> {
  const me = await client.call(async (api) => (await api.getMe()).username, timings.requestMs, signal);
  if (!me.ok) {
    const { failure } = me;
    // A token of another form than the server's has status 404.
    const isTokenRefused = failure.kind === "refused" && (failure.status === 401 || failure.status === 404);
    return isTokenRefused
      ? stopped({ code: "key_refused", facts: { status: failure.status }, detail: failure.words })
      : me;
  }
  const host = await findWebhook(client, timings, signal);
  if (!host.ok || host.value === null) return host.ok ? me : host;
  if (!takeOver) return stopped({ code: "conflict", facts: { why: "webhook", host: host.value } });
  const removed = await client.call(async (api) => api.deleteWebhook(), timings.requestMs, signal);
  return removed.ok ? me : removed;
}

/** Resolves with the host that gets the updates; null = there is none. Its whole address may contain a secret. */
const findWebhook = (client: TelegramClient, { requestMs }: TelegramTimings, signal: AbortSignal) =>
  client.call(
    async (api) => {
      const { url = "" } = await api.getWebhookInfo();
      return url === "" ? null : URL.canParse(url) ? new URL(url).host : "?";
    },
    requestMs,
    signal,
  );

interface PollMode {
  readonly offset: number | undefined;
  /** The server waits for updates. */
  readonly isLong: boolean;
}

async function poll(
  { client, timings, now }: TelegramPollerOptions,
  { offset, isLong }: PollMode,
  signal: AbortSignal,
): Promise<Answer<readonly NumberedUpdate[]>> {
  const request = {
    ...(offset === undefined ? {} : { offset }),
    limit: batchSize,
    timeout: isLong ? timings.pollMs / 1_000 : 0,
    allowed_updates: ["message", "callback_query"] as const,
  };
  const read = (updates: readonly unknown[]) => updates.flatMap((update) => readTelegramUpdate(update, now()) ?? []);
  const answer = await client.call(async (api) => read(await api.getUpdates(request)), timings.deadPollMs, signal);
  if (answer.ok || answer.failure.kind !== "refused") return answer;
  const { status, words } = answer.failure;
  if (status === 401) return stopped({ code: "key_refused", facts: { status }, detail: words });
  if (status !== 409) return answer;
  const host = await findWebhook(client, timings, signal);
  return host.ok && host.value !== null
    ? stopped({ code: "conflict", facts: { why: "webhook", host: host.value } })
    : answer;
}

interface Problem {
  readonly error: AgentError;
  /** null = it needs the owner. */
  readonly waitMs: number | null;
}

/** `failures` in a row, this one included. */
function toProblem(failure: Failure, failures: number, timings: TelegramTimings): Problem {
  const waitMs = backOff(failures, timings.backOffMs, timings.backOffMaxMs);
  switch (failure.kind) {
    case "stopped":
      return { error: failure.error, waitMs: null };
    case "not_stored":
      return { error: { code: "store_failed" }, waitMs };
    case "too_fast":
      return { error: { code: "server_busy" }, waitMs: failure.waitMs };
    case "broken":
      return { error: failure.error, waitMs };
    case "aborted":
      return { error: { code: "aborted" }, waitMs: 0 };
    case "refused":
      return failure.status === 409
        ? {
            error: { code: "conflict", detail: failure.words, facts: { why: "other_program" } },
            waitMs: backOff(failures, timings.conflictMs, timings.conflictMaxMs),
          }
        : {
            error: { code: "server_error", detail: failure.words, facts: { status: failure.status } },
            waitMs,
          };
  }
}
