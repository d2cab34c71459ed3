/** CodeMirror theme from the application's CSS variables, valid for light and dark. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const baseTheme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--canvas)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontSize: "var(--editor-font-size)",
    lineHeight: "calc(var(--editor-font-size) + 7px)",
    fontVariantLigatures: "none",
    overscrollBehavior: "contain",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--accent)" },
  ".cm-content.cm-ruler": { background: "var(--rulers)" },
  ".cm-line": { padding: "0 16px 0 6px" },
  ".cm-cursor": { borderLeft: "2px solid var(--accent)", marginLeft: "-1px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--accent) 22%, transparent)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklch, var(--ink) 3%, transparent)" },
  ".cm-gutters": {
    backgroundColor: "var(--canvas)",
    color: "var(--ink-faint)",
    border: "none",
    fontSize: "calc(var(--editor-font-size) - 1px)",
  },
  ".cm-lineNumbers .cm-gutterElement": {
    padding: "0 14px 0 12px",
    minWidth: "48px",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-foldPlaceholder": { border: "none", background: "var(--pressed)", color: "var(--ink-muted)", padding: "0 6px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid color-mix(in oklch, var(--accent) 40%, transparent)",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--danger-soft)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in oklch, var(--ink) 9%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in oklch, var(--ask-edge) 30%, transparent)", borderRadius: "2px" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in oklch, var(--ask-edge) 65%, transparent)" },
  ".cm-highlightSpace": {
    background: "radial-gradient(circle at 50% 55%, var(--ink-faint) 12%, transparent 16%) no-repeat",
    backgroundSize: "auto",
    backgroundPosition: "0 0",
  },
  ".cm-highlightTab": { opacity: "0.6" },
  ".cm-placeholder": { color: "var(--ink-faint)" },
  ".cm-specialChar": { color: "var(--danger)" },
  // The library's own level, 300, is above the floating panels and messages of the page.
  ".cm-panels": { zIndex: "2", backgroundColor: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "200px", font: "12.5px/20px var(--font-mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--ink)",
    backgroundColor: "var(--pressed)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600", color: "var(--accent)" },
  ".cm-completionDetail": { color: "var(--ink-muted)", fontStyle: "normal" },
});

const highlightStyle = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self, tags.definitionKeyword],
    color: "var(--code-token-keyword)",
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character, tags.attributeValue],
    color: "var(--code-token-string)",
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
      tags.className,
      tags.typeName,
      tags.tagName,
      tags.macroName,
      tags.labelName,
    ],
    color: "var(--code-token-function)",
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color, tags.escape],
    color: "var(--code-token-constant)",
  },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--code-token-comment)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--ink)" },
  { tag: tags.heading, fontWeight: "600", color: "var(--ink)" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.invalid, color: "var(--danger)" },
]);

export const editorTheme: Extension = [baseTheme, syntaxHighlighting(highlightStyle)];
