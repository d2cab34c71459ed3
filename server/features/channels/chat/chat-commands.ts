/** The commands that a person writes in a chat. Whatever is unknown is a message for the model. */
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import { sessionActivity } from "@/lib/view/view";
import type { StoredPerson } from "@/server/store/channels";
import type { ChannelContext } from "../channel-context";
import type { Handled } from "./dialog";
import { lastAnswerText } from "./run-text";

const listedSessions = 10;

interface ChatCommand {
  readonly context: ChannelContext;
  readonly person: StoredPerson;
  /** The word after the command; "" = none. */
  readonly word: string;
  readonly commandId: CommandId;
}

const help = ({ context }: ChatCommand): Handled => ({ answers: [context.texts().help] });

const commands: ReadonlyMap<string, (command: ChatCommand) => Handled | Promise<Handled>> = new Map(
  Object.entries({
    start: help,
    help,
    new: startNew,
    stop,
    status,
    sessions: chooseSession,
    project: chooseProject,
    mode,
  }),
);

const commandPattern = /^\/(\w+)(?:@\w+)?(?:\s+([^]*))?$/;

const findCommand = (text: string) => {
  const [, name = "", rest = ""] = commandPattern.exec(text.trim()) ?? [];
  const run = commands.get(name.toLowerCase());
  return run === undefined ? null : { run, word: rest.trim() };
};

export const isChatCommand = (text: string): boolean => findCommand(text) !== null;

/** null = the text is no command. */
export function performChatCommand(
  context: ChannelContext,
  person: StoredPerson,
  text: string,
  commandId: CommandId,
): Promise<Handled> | null {
  const found = findCommand(text);
  return found === null ? null : Promise.resolve(found.run({ context, person, word: found.word, commandId }));
}

/** The view of the chat's session; null = none, or not his any more. */
function viewOf({ context, person }: Pick<ChatCommand, "context" | "person">) {
  const session = person.sessionId === null ? null : context.sessionsOf(person).get(person.sessionId);
  return session?.ok === true ? session.value.view : null;
}

const isRunning = (command: Pick<ChatCommand, "context" | "person">): boolean => {
  const view = viewOf(command);
  return view !== null && view.run !== null;
};

const projectName = ({ context }: ChatCommand, id: string): string =>
  context.projects().find((project) => project.id === id)?.name ?? "";

function startNew(command: ChatCommand): Handled {
  const { context, person } = command;
  if (isRunning(command)) return { answers: [context.texts().stopFirst] };
  const answer = context.texts().newSession(projectName(command, context.projectOf(person)));
  return { answers: [answer], change: { sessionId: null, seenSeq: 0 } };
}

async function stop(command: ChatCommand): Promise<Handled> {
  const { context, person } = command;
  const texts = context.texts();
  const view = viewOf(command);
  if (view === null || sessionActivity(view) === "idle") return { answers: [texts.nothingRuns] };
  const stopped = await context.sessionsOf(person).stop(view.sessionId);
  // The end of the run is a message of its own.
  if (stopped.ok) return {};
  return { answers: [stopped.error.code === "not_allowed" ? texts.mayNotTalk : texts.failed(stopped.error.code)] };
}

function status(command: ChatCommand): Handled {
  const { context } = command;
  const view = viewOf(command);
  if (view === null) return { answers: [context.texts().noSession] };
  const answer = context.texts().status({
    title: view.title,
    project: projectName(command, view.projectId),
    mode: view.mode,
    model: view.model?.model ?? "–",
    activity: sessionActivity(view),
    queued: view.queue.length + context.rows.countUpdates(command.person.id) - 1,
  });
  return { answers: [answer] };
}

function chooseSession({ context, person, word }: ChatCommand): Handled {
  const texts = context.texts();
  const listed = context.sessionsOf(person).list({ projectId: context.projectOf(person) });
  const rows = listed.ok ? listed.value.rows.slice(0, listedSessions) : [];
  if (rows.length === 0) return { answers: [texts.noSessions] };
  if (word === "")
    return {
      answers: [
        numbered(
          texts.sessions,
          rows.map(({ title }) => title),
        ),
      ],
    };
  const row = rows[Number(word) - 1];
  return row === undefined ? { answers: [texts.noSuchNumber] } : followSession(context, person, row.id);
}

function followSession(context: ChannelContext, person: StoredPerson, id: SessionId): Handled {
  const session = context.sessionsOf(person).get(id);
  if (!session.ok) return { answers: [context.texts().noSuchNumber] };
  const { view } = session.value;
  const answers = [context.texts().chosen(view.title), lastAnswerText(view)].filter((text) => text !== "");
  return { answers, change: { sessionId: id, seenSeq: view.seq } };
}

function chooseProject({ context, person, word }: ChatCommand): Handled {
  const texts = context.texts();
  const projects = context.projects();
  if (word === "")
    return {
      answers: [
        numbered(
          texts.projects,
          projects.map(({ name }) => name),
        ),
      ],
    };
  const project = projects[Number(word) - 1];
  if (project === undefined) return { answers: [texts.noSuchNumber] };
  if (isRunning({ context, person })) return { answers: [texts.stopFirst] };
  const change = {
    projectId: project.id,
    ...(project.id === context.projectOf(person) ? {} : { sessionId: null, seenSeq: 0 }),
  };
  return { answers: [texts.newSession(project.name)], change };
}

function mode(command: ChatCommand): Handled {
  const { context, person, word, commandId } = command;
  const texts = context.texts();
  if (word !== "ask" && word !== "plan") return { answers: [texts.mode(person.mode)] };
  const view = viewOf(command);
  const changed =
    view === null
      ? null
      : context
          .sessionsOf(person)
          .setMode({ sessionId: view.sessionId, commandId: asId<CommandId>(`${commandId}-mode`), mode: word });
  if (changed?.ok === false)
    return { answers: [changed.error.code === "not_allowed" ? texts.mayNotTalk : texts.failed(changed.error.code)] };
  return { answers: [texts.mode(word)], change: { mode: word } };
}

const numbered = (heading: string, names: readonly string[]): string =>
  [heading, ...names.map((name, index) => `${index + 1}. ${name.replace(/\s+/g, " ")}`)].join("\n");
