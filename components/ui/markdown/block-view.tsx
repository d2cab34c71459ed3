"use client";
/** Renders block-level markdown tokens. Unchanged blocks do not render again. */
import { SquareCheck, Square } from "lucide-react";
import type { Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../indicators/icon";
import type { MarkdownBlock } from "./markdown-split";
import { CodeBlock } from "./code-block";
import { maxDepth, InlineTokens, PlainText } from "./inline";
import { decodeEntities } from "./entities";
import { isBlock } from "./token-kinds";

interface BlockViewProps {
  readonly block: MarkdownBlock;
  /** No more text will be added. */
  readonly finished: boolean;
  /** For a code block: the line before it, which may name the file. */
  readonly lineBefore?: string;
}

export const BlockView = memo(
  function Block({ block, finished, lineBefore = "" }: BlockViewProps) {
    return <BlockToken token={block.token} finished={finished} lineBefore={lineBefore} depth={0} />;
  },
  (before, after) =>
    before.block === after.block && before.finished === after.finished && before.lineBefore === after.lineBefore,
);

/** Returns the line before a code block, which may name its file; "" for every other block. */
export function lineBefore(token: Token | undefined, previous: Token | undefined): string {
  if (token?.type !== "code" || previous === undefined) return "";
  if (previous.type !== "paragraph" && previous.type !== "heading" && previous.type !== "text") return "";
  return previous.raw.trim().split("\n").at(-1) ?? "";
}

interface TokenProps {
  readonly token: Token;
  readonly finished: boolean;
  readonly lineBefore: string;
  readonly depth: number;
}

function BlockList({
  tokens,
  finished,
  depth,
}: Omit<TokenProps, "token" | "lineBefore"> & { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) =>
    token.type === "space" || token.type === "checkbox" || token.type === "def" ? null : (
      <BlockToken
        key={index}
        token={token}
        finished={finished || index < tokens.length - 1}
        lineBefore={lineBefore(
          token,
          tokens.slice(0, index).findLast(({ type }) => type !== "space"),
        )}
        depth={depth}
      />
    ),
  );
}

function BlockToken({ token, finished, lineBefore, depth }: TokenProps): ReactNode {
  if (!isBlock(token) || depth > maxDepth)
    return (
      <p className="whitespace-pre-wrap">
        <PlainText text={token.raw} />
      </p>
    );
  switch (token.type) {
    case "heading": {
      const Tag = token.depth <= 2 ? "h3" : token.depth === 3 ? "h4" : "h5";
      return (
        <Tag>
          <InlineTokens tokens={token.tokens} depth={depth} />
        </Tag>
      );
    }
    case "paragraph":
      return (
        <p dir="auto">
          <InlineTokens tokens={token.tokens} depth={depth} />
        </p>
      );
    case "text":
      return token.tokens === undefined ? (
        <p className="whitespace-pre-wrap">
          <PlainText text={decodeEntities(token.text)} />
        </p>
      ) : (
        <InlineTokens tokens={token.tokens} depth={depth} />
      );
    case "code":
      return <CodeBlock code={token.text} info={token.lang ?? ""} finished={finished} lineBefore={lineBefore} />;
    case "blockquote":
      return (
        <blockquote>
          <BlockList tokens={token.tokens} finished={finished} depth={depth + 1} />
        </blockquote>
      );
    case "list":
      return <ListView token={token} finished={finished} depth={depth} />;
    case "table":
      return <TableView token={token} depth={depth} />;
    case "hr":
      return <hr />;
    case "html":
      return (
        <p className="whitespace-pre-wrap">
          <PlainText text={token.raw.trimEnd()} />
        </p>
      );
  }
}

function ListView({
  token,
  finished,
  depth,
}: {
  readonly token: Tokens.List;
  readonly finished: boolean;
  readonly depth: number;
}) {
  const Tag = token.ordered ? "ol" : "ul";
  const start = typeof token.start === "number" && token.start !== 1 ? { start: token.start } : {};
  return (
    <Tag {...start} data-loose={token.loose || undefined}>
      {token.items.map((item, index) => (
        <ListItem key={index} item={item} finished={finished || index < token.items.length - 1} depth={depth + 1} />
      ))}
    </Tag>
  );
}

interface ListItemProps {
  readonly item: Tokens.ListItem;
  readonly finished: boolean;
  readonly depth: number;
}

// An item with the same text and no link is equal, although the lexer created a new token for it.
const ListItem = memo(
  function Item({ item, finished, depth }: ListItemProps) {
    const messages = useMessages();
    const done = item.checked === true;
    return (
      <li dir="auto" data-task={item.task || undefined}>
        {item.task && (
          <Icon
            of={done ? SquareCheck : Square}
            label={done ? messages.chat.task.done : messages.chat.task.open}
            className={done ? "text-accent" : "text-ink-faint"}
          />
        )}
        <BlockList tokens={item.tokens} finished={finished} depth={depth} />
      </li>
    );
  },
  (before, after) =>
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose &&
    before.finished === after.finished &&
    (before.item === after.item || !after.item.raw.includes("[")),
);

function TableView({ token, depth }: { readonly token: Tokens.Table; readonly depth: number }) {
  const align = (cell: Tokens.TableCell) => (cell.align === null ? {} : { style: { textAlign: cell.align } });
  return (
    <div data-table tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} {...align(cell)}>
                <InlineTokens tokens={cell.tokens} depth={depth} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} {...align(cell)}>
                  <InlineTokens tokens={cell.tokens} depth={depth} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
