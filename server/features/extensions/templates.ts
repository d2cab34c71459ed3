/** The files of new extensions. */
import type { ExtensionTemplate } from "@/lib/tools/extensions";

interface TemplateFile {
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
}

interface Template {
  /** Lines of its tool in the definition. */
  readonly tool: string;
  readonly script: string;
  readonly text: string;
}

const countWords = `  - name: count_words
    description: Counts the words of a text.
    parameters:
      type: object
      properties:
        text: { type: string, description: The text to count. }
      required: [text]`;

const templates: Readonly<Record<ExtensionTemplate, Template>> = {
  bash: {
    tool: `  - name: project_size
    description: Says how much space the project takes.`,
    script: "size.sh",
    text: `#!/usr/bin/env bash
# Gets one line of JSON on standard input; what it prints is the result. It is started in the project.
set -euo pipefail
read -r _call
du -sh .
`,
  },
  node: {
    tool: countWords,
    script: "count.mjs",
    text: `#!/usr/bin/env node
// Gets one line of JSON on standard input; what it prints is the result.
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { input } = JSON.parse(line);
  console.log(\`\${input.text.split(/\\s+/).filter(Boolean).length} words\`);
}
`,
  },
  python: {
    tool: countWords,
    script: "count.py",
    text: `#!/usr/bin/env python3
# Gets one line of JSON on standard input; what it prints is the result.
import json
import sys

call = json.loads(sys.stdin.readline())
print(len(call["input"]["text"].split()), "words")
`,
  },
};

const definition = ({ tool, script }: Template): string => `description: A tool and a slash command to begin with.

tools:
${tool}
    run: ${script}

commands:
  - name: review
    description: Review the changes of a file
    prompt: |
      Review the changes of $1. Name what is wrong first, then what could be simpler.

# More parts:
#
# env: [MY_VARIABLE]                      # variables of your environment that the scripts get
# on:
#   - { event: run_end, run: ${script} }    # gets events, after the fact
# gate: { before_tool: ${script} }          # may deny a call or ask you, never allow one
`;

export function templateFiles(template: ExtensionTemplate): readonly TemplateFile[] {
  const { script, text } = templates[template];
  return [
    { path: "extension.yaml", text: definition(templates[template]), isExecutable: false },
    { path: script, text, isExecutable: true },
  ];
}
