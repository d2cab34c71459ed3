"use client";
/** Items of the status bar for the text in the editor: caret, indentation, line ending, encoding, language. */
import type { ReactNode } from "react";
import { encodingName } from "@/lib/workspace/encoding-name";
import type { EditorStatus, Indentation } from "../../state/workbench/component-handles";
import { useClient } from "../../state/client";
import { Menu } from "../../ui/controls/menu";
import { useFullMessages } from "../../messages/full-messages";

const indentations: readonly Indentation[] = [2, 4, 8, "tab"];
const lineEndings = ["\n", "\r\n"] as const;
const lineEndingNames = { "\n": "LF", "\r\n": "CRLF" } as const;
/** Names of the languages, which are the same in each language of the interface. */
const languageNames: Readonly<Record<string, string>> = {
  cpp: "C++",
  css: "CSS",
  dockerfile: "Dockerfile",
  go: "Go",
  html: "HTML",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  lua: "Lua",
  markdown: "Markdown",
  php: "PHP",
  python: "Python",
  ruby: "Ruby",
  rust: "Rust",
  shell: "Shell",
  sql: "SQL",
  toml: "TOML",
  tsx: "TypeScript JSX",
  typescript: "TypeScript",
  vue: "Vue",
  xml: "XML",
  yaml: "YAML",
};

export function EditorFormat({ status }: { readonly status: EditorStatus }) {
  const { handles, workbench } = useClient();
  const { palette, actions } = useFullMessages();
  const { editor } = palette;
  const { line, column, selected, carets, indentation, lineEnding, encoding, language, isReadOnly } = status;
  const plain = "plain";
  const languageName = language === null ? editor.plainText : (languageNames[language] ?? language);
  return (
    <>
      <button
        type="button"
        data-caret
        title={actions.names.goToLine}
        onClick={() => workbench.showOverlay("go_to_line")}
        className="rounded-control px-1 tabular-nums hover:bg-hover hover:text-ink"
      >
        {carets > 1 ? editor.carets(carets, selected) : editor.caret(line, column, selected)}
      </button>
      <FormatMenu
        name={editor.indentation}
        label={editor.indent(indentation)}
        isReadOnly={isReadOnly}
        chosen={String(indentation)}
        items={indentations.map((item) => ({
          id: String(item),
          label: editor.indent(item),
          onSelect: () => handles.editor?.setIndentation(item),
        }))}
      />
      <FormatMenu
        name={editor.lineEnding}
        label={lineEndingNames[lineEnding]}
        isReadOnly={isReadOnly}
        chosen={lineEnding}
        items={lineEndings.map((id) => ({
          id,
          label: lineEndingNames[id],
          note: editor.lineEndings[lineEndingNames[id]],
          onSelect: () => handles.editor?.setLineEnding(id),
        }))}
      />
      {encoding !== null && (
        <FormatMenu
          name={editor.encoding}
          label={encodingName(encoding)}
          isReadOnly={isReadOnly}
          items={(["reopen", "save"] as const).map((id) => ({
            id,
            label: editor.encodings[id],
            onSelect: () => handles.editor?.chooseEncoding(id),
          }))}
        />
      )}
      <FormatMenu
        name={editor.language}
        label={languageName}
        isReadOnly={false}
        chosen={language ?? plain}
        items={[
          { id: plain, label: editor.plainText, onSelect: () => handles.editor?.setLanguage(null) },
          ...Object.entries(languageNames)
            .sort(([, a], [, b]) => a.localeCompare(b))
            .map(([id, label]) => ({ id, label, onSelect: () => handles.editor?.setLanguage(id) })),
        ]}
      />
    </>
  );
}

interface FormatMenuProps {
  readonly name: string;
  readonly label: ReactNode;
  readonly isReadOnly: boolean;
  /** Absent = a menu of actions. */
  readonly chosen?: string;
  readonly items: Parameters<typeof Menu>[0]["items"];
}

function FormatMenu({ name, label, isReadOnly, chosen, items }: FormatMenuProps) {
  if (isReadOnly) return <span className="max-[1200px]:hidden">{label}</span>;
  return (
    <Menu
      name={name}
      title={name}
      items={items}
      chosen={chosen}
      side="above"
      align="end"
      className="rounded-control px-1 hover:bg-hover hover:text-ink max-[1200px]:hidden"
    >
      {label}
    </Menu>
  );
}
