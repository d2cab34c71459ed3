/** Commands of the session family. */
import { joinTextBlocks } from "@/lib/events/content";
import { fail, ok } from "@/lib/events/error";
import { findInConversation } from "@/lib/view/find";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { pageBefore } from "@/lib/view/snapshot";
import { findCall } from "./find-call";
import { contextHandlers } from "./context-handlers";
import { checkQueuedEdit } from "@/server/session/user-commands/run-user-command";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const sessionHandlers = (services: CoreServices) => ({
  ...changeSessionHandlers(services),
  ...readHandlers(services),
  ...contextHandlers(services),
});

const changeSessionHandlers = ({ sessions }: CoreServices) =>
  ({
    "session.list": (input) => ok(sessions.list(input)),
    "session.create": sessions.create,
    "session.remove": ({ sessionId }) => sessions.remove(sessionId),
    "session.restore": ({ sessionId }) => sessions.restore(sessionId),
    "session.send": sessions.send,
    "session.run_command": sessions.runCommand,
    "references.measure": sessions.measureReferences,
    "session.resume": sessions.resume,
    "session.decide_call": sessions.decideCall,
    "session.answer": sessions.answer,
    "session.abort": ({ sessionId }) => sessions.stop(sessionId),
    "session.update": sessions.update,
    "session.pin": sessions.pin,
    "session.pins": sessions.pins,
    "session.preview_pins": sessions.previewPins,
    "session.model": sessions.changeModel,
    "session.unqueue": ({ sessionId, commandId, queuedId }) =>
      sessions.change(sessionId, (session) => ok({ removed: session.unqueue(queuedId, commandId) })),
    "session.requeue": ({ sessionId, commandId, queuedId, text }) =>
      sessions.change(sessionId, (session) => {
        const checked = checkQueuedEdit(session.view, queuedId, text);
        return checked.ok ? ok({ changed: session.requeue(queuedId, text, commandId) }) : checked;
      }),
  }) satisfies Partial<HandlerTable>;

const readHandlers = ({ sessions, store }: CoreServices) =>
  ({
    "session.open": ({ sessionId }, client) => {
      const opened = sessions.open(sessionId);
      if (opened.ok) client.join("session", sessionId);
      return opened;
    },
    "session.close": ({ sessionId }, client) => {
      client.leave("session", sessionId);
      return ok(null);
    },
    "session.page": ({ sessionId, before }) => {
      const session = sessions.get(sessionId);
      return session.ok ? ok(pageBefore(session.value.view, before)) : session;
    },
    "session.find": ({ sessionId, query }) => {
      const session = sessions.get(sessionId);
      return session.ok ? ok(findInConversation(session.value.view, query, serverLimits.findHits)) : session;
    },
    "session.output": ({ sessionId, callId }) => {
      const session = sessions.get(sessionId);
      const output = session.ok ? findCall(session.value.view, callId)?.output : undefined;
      return output === undefined ? fail("not_found") : ok({ output });
    },
    "session.result_file": ({ sessionId, callId, index, from }) => {
      const session = sessions.get(sessionId);
      const file = session.ok ? findCall(session.value.view, callId)?.facts.files?.[index] : undefined;
      const bytes = file === undefined ? undefined : store.blobs.get(file.blob);
      if (bytes === undefined) return fail("not_found");
      const piece = bytes.subarray(from, from + limits.resultFilePieceBytes);
      return ok({ data: Buffer.from(piece).toString("base64") });
    },
    "session.full_output": ({ sessionId, callId }) => {
      const session = sessions.get(sessionId);
      const call = session.ok ? findCall(session.value.view, callId) : undefined;
      const bytes = call?.cut?.blob === undefined ? undefined : store.blobs.get(call.cut.blob);
      if (bytes !== undefined) return ok({ text: Buffer.from(bytes).toString("utf8"), bytes: bytes.length });
      const text = call?.output === undefined ? undefined : joinTextBlocks(call.output);
      return text === undefined ? fail("not_found") : ok({ text, bytes: Buffer.byteLength(text) });
    },
  }) satisfies Partial<HandlerTable>;
