/** Commands for reviews. */
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const reviewHandlers = ({ sessions }: CoreServices) =>
  ({
    "review.state": ({ sessionId }) => {
      const session = sessions.get(sessionId);
      return session.ok ? session.value.review.state() : session;
    },
    "review.decide": ({ sessionId, commandId, decisions }) =>
      sessions.change(sessionId, ({ review }) => review.decide(decisions, commandId)),
    "review.undo": ({ sessionId, commandId, seq }) =>
      sessions.change(sessionId, ({ review }) => review.undo(seq, commandId)),
  }) satisfies Partial<HandlerTable>;
