"use client";
/** Renders inline markdown tokens as React elements. Never emits HTML from text: unknown tokens are shown as source. */
import { FileCode, Image } from "lucide-react";
import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode, useCallback, useMemo } from "react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../indicators/icon";
import { StoredImage } from "../indicators/stored-image";
import { hasBidi } from "../text/hidden-characters";
import { VisibleText } from "../text/visible-text";
import { FileLink, LinkedText } from "./file-links";
import { parseCodeReference } from "../text/file-reference";
import { type MarkdownFile, MarkdownLinksContext, useMarkdownLinks } from "./links";
import { claimsOtherHost, parseLinkAddress } from "./parse-link-address";
import { decodeEntities } from "./entities";
import { isInline } from "./token-kinds";

/** Maximum nesting; deeper content is shown as source. */
export const maxDepth = 24;

export function InlineTokens({
  tokens,
  depth,
}: {
  readonly tokens: readonly Token[];
  readonly depth: number;
}): ReactNode {
  return tokens.map((token, index) => (
    <InlineTokenView key={index} token={token} next={tokens[index + 1]} depth={depth} />
  ));
}

/** Text whose bidirectional control characters are shown as marks. */
export function PlainText({ text }: { readonly text: string }): ReactNode {
  const messages = useMessages();
  return hasBidi(text) ? <VisibleText text={text} names={messages.common.hidden} /> : text;
}

interface InlineProps {
  readonly token: Token;
  readonly next: Token | undefined;
  readonly depth: number;
}

function InlineTokenView({ token, next, depth }: InlineProps): ReactNode {
  if (!isInline(token) || depth > maxDepth) return <PlainText text={token.raw} />;
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <InlineTokens tokens={token.tokens} depth={depth + 1} />
        </strong>
      );
    case "em":
      return (
        <em>
          <InlineTokens tokens={token.tokens} depth={depth + 1} />
        </em>
      );
    case "del":
      return (
        <del>
          <InlineTokens tokens={token.tokens} depth={depth + 1} />
        </del>
      );
    case "codespan":
      return <InlineCode text={token.text} next={next?.type === "text" ? next.raw : ""} />;
    case "br":
      return <br />;
    case "link":
      return <MarkdownLink token={token} depth={depth} />;
    case "image":
      return <ImageLink token={token} />;
    case "escape":
      return <PlainText text={token.text} />;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? (
        <InlineTokens tokens={token.tokens} depth={depth + 1} />
      ) : (
        <LinkedText text={decodeEntities(token.text)} />
      );
    case "html":
    case "checkbox":
      return <PlainText text={token.type === "html" ? token.raw : ""} />;
  }
}

/** A file in inline code is a link; "`src/a.ts` lines 10–20" opens the lines. `next` = the text after it. */
function InlineCode({ text, next }: { readonly text: string; readonly next: string }) {
  const reference = useMemo(() => parseCodeReference(text, next), [text, next]);
  const content = <PlainText text={text} />;
  return <code>{reference === null ? content : <FileLink {...reference}>{content}</FileLink>}</code>;
}

interface WebLinkProps {
  readonly href: string;
  readonly children: ReactNode;
  readonly title?: string;
  readonly className?: string;
}

const WebLink = ({ href, children, ...rest }: WebLinkProps) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer" {...rest}>
    {children}
  </a>
);

function MarkdownLink({ token, depth }: { readonly token: Tokens.Link; readonly depth: number }): ReactNode {
  const { openPath, file } = useMarkdownLinks();
  const address = parseLinkAddress(decodeEntities(token.href));
  // Links must not be nested.
  const inner = useMemo(() => ({ openPath: null, file }), [file]);
  const content = (
    <MarkdownLinksContext value={inner}>
      <InlineTokens tokens={token.tokens} depth={depth + 1} />
    </MarkdownLinksContext>
  );
  switch (address.kind) {
    case "web":
      return (
        <WebLink href={address.href} title={address.href}>
          {content}
          {claimsOtherHost(token.text, address.host) && <span className="text-ink-muted"> ({address.host})</span>}
        </WebLink>
      );
    case "mail":
      return (
        <WebLink href={address.href} title={address.href}>
          {content}
        </WebLink>
      );
    case "path":
      return openPath === null ? (
        content
      ) : (
        <button
          type="button"
          data-link
          title={address.path}
          onClick={() => (file?.openLink ?? openPath)(address.path, address.line)}
        >
          {content}
        </button>
      );
    case "heading":
      return file === undefined ? (
        <BlockedLink href={token.href}>{content}</BlockedLink>
      ) : (
        <button type="button" data-link onClick={() => file.openHeading(address.name)}>
          {content}
        </button>
      );
    case "blocked":
      return <BlockedLink href={token.href}>{content}</BlockedLink>;
  }
}

function BlockedLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const { chat } = useMessages();
  return (
    <Fragment>
      {children}
      <span className="text-ink-faint" title={chat.blockedLink}>
        {" "}
        ({href})
      </span>
    </Fragment>
  );
}

/** Images of a project file are shown. Remote images are not loaded: shows a link with the full host, path and query. */
function ImageLink({ token }: { readonly token: Tokens.Image }): ReactNode {
  const messages = useMessages();
  const { openPath, file } = useMarkdownLinks();
  const address = parseLinkAddress(decodeEntities(token.href));
  const alt = decodeEntities(token.text);
  if (address.kind === "path" && file !== undefined)
    return <FileImage path={address.path} name={alt === "" ? address.path : alt} file={file} />;
  if (address.kind === "path" && openPath !== null) {
    return (
      <button type="button" data-link onClick={() => openPath(address.path, undefined)}>
        <Icon of={FileCode} size={14} className="mr-1 inline" />
        <PlainText text={alt === "" ? address.path : alt} />
      </button>
    );
  }
  if (address.kind !== "web") return <PlainText text={alt === "" ? token.raw : alt} />;
  const url = new URL(address.href);
  return (
    <span
      className="inline-flex max-w-full items-baseline gap-1.5 rounded-mark border border-line px-1.5 text-base"
      title={messages.chat.remoteImageNote}
    >
      <Icon
        of={Image}
        size={14}
        className="translate-y-0.5 text-ink-muted"
        label={messages.chat.remoteImage(address.host)}
      />
      {alt !== "" && <PlainText text={alt} />}
      <WebLink href={address.href} className="[overflow-wrap:anywhere]">
        {url.host}
        {url.pathname === "/" ? "" : url.pathname}
        {url.search}
      </WebLink>
    </span>
  );
}

interface FileImageProps {
  readonly path: string;
  readonly name: string;
  readonly file: MarkdownFile;
}

function FileImage({ path, name, file }: FileImageProps) {
  const load = useCallback(() => file.loadImage(path), [file, path]);
  return <StoredImage load={load} name={name} className="inline-block max-w-full" />;
}
