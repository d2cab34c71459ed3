/** Declares what the parts of a running channel share, and stores texts for people. */
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { Redactor } from "@/server/security/redaction/redact";
import type { RemoteSessions } from "@/server/session/service/remote-sessions";
import type { ChannelRows, StoredPerson } from "@/server/store/channels";
import type { FeatureHost } from "../feature";
import type { Channel } from "./channel";
import { splitMessage } from "./chat/split-message";
import type { ChannelTexts } from "./chat/texts";

/** Room for what is added to a message when it is sent, characters. */
export const addedChars = 60;

export interface ChannelContext {
  readonly kind: string;
  readonly channel: Pick<Channel, "capabilities" | "show" | "load">;
  readonly rows: ChannelRows;
  readonly host: Pick<FeatureHost, "sessions" | "store" | "home" | "now">;
  texts(): ChannelTexts;
  /** The redactor of share links. */
  mask(): Redactor;
  /** The sessions as a person uses them. */
  sessionsOf(person: StoredPerson): RemoteSessions;
  /** The projects that a person may choose from: the personal workspace, and the one that the owner chose. */
  projects(): readonly Pick<Project, "id" | "name">[];
  /** The project of a person's next session. */
  projectOf(person: StoredPerson): ProjectId;
  /** Messages to a person were stored: sends them. */
  wake(personId: string): void;
}

/** Stores a text for a person: masked as a whole, then divided. Its caller wakes the sending. */
export function storeText({ rows, mask, channel }: ChannelContext, personId: string, text: string): void {
  const max = channel.capabilities.messageMaxChars - addedChars;
  for (const part of splitMessage(mask().text(text), max)) rows.addDelivery({ personId, text: part });
}
