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
    fontSize: "13px",
    lineHeight: "20px",
    fontVariantLigatures: "none",
    overscrollBehavior: "contain",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 16px 0 6px" },
  ".cm-cursor": { borderLeft: "2px solid var(--accent)", marginLeft: "-1px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--accent) 22%, transparent)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklch, var(--ink) 3%, transparent)" },
  ".cm-gutters": { backgroundColor: "var(--canvas)", color: "var(--ink-faint)", border: "none", fontSize: "12px" },
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
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px",
    padding: "6px 32px 6px 8px !important",
    font: "12px/16px var(--font-sans)",
  },
  ".cm-search br": { display: "none" },
  ".cm-textfield": {
    height: "28px",
    margin: "0 !important",
    padding: "0 8px",
    font: "12.5px/20px var(--font-mono)",
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-textfield:focus": { outline: "1px solid var(--accent)", borderColor: "var(--accent)" },
  ".cm-button": {
    height: "28px",
    margin: "0 !important",
    padding: "0 8px",
    font: "12px/16px var(--font-sans)",
    color: "var(--ink)",
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-button:hover": { backgroundColor: "var(--hover)" },
  ".cm-button:active": { backgroundImage: "none", backgroundColor: "var(--pressed)" },
  // Same specificity as the base theme, which sets smaller sizes.
  ".cm-panel.cm-search label, .cm-panel.cm-dialog label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "6px",
    margin: "0",
    padding: "0 4px",
    fontSize: "12px",
    color: "var(--ink-muted)",
  },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-dialog": {
    position: "relative",
    display: "flex",
    alignItems: "center",
    gap: "6px",
    padding: "6px 40px 6px 8px",
    font: "12px/16px var(--font-sans)",
  },
  ".cm-panel.cm-dialog .cm-textfield": { width: "96px" },
  ".cm-panel.cm-search [name=close], .cm-dialog-close": {
    position: "absolute",
    top: "8px",
    right: "8px",
    display: "grid",
    placeItems: "center",
    width: "24px",
    height: "24px",
    padding: "0",
    fontSize: "16px",
    color: "var(--ink-muted)",
    borderRadius: "6px",
  },
  ".cm-panel [name=close]:hover, .cm-dialog-close:hover": {
    color: "var(--ink)",
    backgroundColor: "var(--hover)",
  },
  ".cm-search input[type=checkbox]": { accentColor: "var(--accent)", margin: "0" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", border: "1px solid var(--line)", borderRadius: "6px" },
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
