import { expect, test } from "vitest";
import type { LiveEvent } from "@/lib/events/event";
import { asId, type MessageId } from "@/lib/events/id";
import type { Tool } from "@/server/tools/core/tool";
import { builtInSource } from "@/server/tools/core/built-in-source";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import { emptyCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { commonCatalogue } from "@/server/tools/toolbox/test-catalogue";
import { makeLiveBlocks } from "./live-blocks";

test("calls are shown under the names of their tools, which are read again only after a change of the catalogue", () => {
  const sent: LiveEvent[] = [];
  let catalogue: Catalogue = emptyCatalogue;
  let reads = 0;
  const tools = (): readonly Tool[] => {
    reads += 1;
    return builtInSource.tools();
  };
  const live = (event: LiveEvent): void => void sent.push(event);
  const blocks = makeLiveBlocks({ live, now: () => 0, tools, catalogue: () => catalogue }, asId<MessageId>("m"));
  const shownName = (name: string): string | undefined => {
    blocks.append(blocks.open("input", false), "{", name);
    const last = sent.at(-1);
    return last?.type === "message_delta" ? last.name : undefined;
  };
  const names = ["read_file", "Github__CreateIssue", "read_file", "Github__CreateIssue"];
  expect(names.map(shownName)).toEqual(["read", "Github__CreateIssue", "read", "Github__CreateIssue"]);
  expect(reads).toBe(1);
  catalogue = commonCatalogue;
  expect(names.map(shownName)).toEqual(["read", "github__create_issue", "read", "github__create_issue"]);
  expect(reads).toBe(2);
});
