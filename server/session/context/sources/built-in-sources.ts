/** The built-in context sources. Messages, tool results and compaction take their blocks from this list. */
import type { ContextSource } from "@/server/agent/context/context-source";
import { folderGuideSources } from "./folder-guide-sources";
import { modeSource } from "./mode-source";
import { evictedPinsSource } from "./evicted-pins-source";
import { projectSource } from "./project-source";
import { restoredFilesSource } from "./restored-files-source";
import { reviewSource } from "./review-source";
import { subagentSource } from "./subagent-source";
import { shellReplacedSource, shellRestartSource } from "./shell-sources";
import { toolboxSource } from "./toolbox-source";
import { treeSource } from "./tree-source";

export const builtInSources: readonly ContextSource[] = [
  toolboxSource,
  projectSource,
  treeSource,
  modeSource,
  subagentSource,
  restoredFilesSource,
  reviewSource,
  evictedPinsSource,
  shellRestartSource,
  shellReplacedSource,
  ...folderGuideSources,
];
