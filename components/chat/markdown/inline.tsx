"use client";
/** Renders inline markdown tokens as React elements. Never emits HTML from text: unknown tokens are shown as source. */
import { FileCode, Image } from "lucide-react";
import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode, useMemo } from "react";
import { useWords } from "@/components/words/words";
import { Icon } from "../../ui/icon";
import { hasBidi } from "../../ui/hidden-characters";
import { VisibleText } from "../../ui/visible-text";
import { FileLink, LinkedText } from "./file-links";
import { referenceOfCode } from "./file-reference";
import { MarkdownLinksContext, useMarkdownLinks } from "./links";
import { claimsOtherHost, readAddress } from "./address";
import { decodeEntities } from "./entities";
import { isInline } from "./token-kinds";

/** Maximum nesting; deeper content is shown as source. */
export const depthMax = 24;

export function Inlines({ tokens, depth }: { readonly tokens: readonly Token[]; readonly depth: number }): ReactNode {
  return tokens.map((token, index) => <Inline key={index} token={token} next={tokens[index + 1]} depth={depth} />);
}

/** Text whose bidirectional control characters are shown as marks. */
export function Plain({ text }: { readonly text: string }): ReactNode {
  const words = useWords();
  return hasBidi(text) ? <VisibleText text={text} names={words.common.hidden} /> : text;
}

interface InlineProps {
  readonly token: Token;
  readonly next: Token | undefined;
  readonly depth: number;
}

function Inline({ token, next, depth }: InlineProps): ReactNode {
  if (!isInline(token) || depth > depthMax) return <Plain text={token.raw} />;
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inlines tokens={token.tokens} depth={depth + 1} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inlines tokens={token.tokens} depth={depth + 1} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inlines tokens={token.tokens} depth={depth + 1} />
        </del>
      );
    case "codespan":
      return <Code text={token.text} next={next?.type === "text" ? next.raw : ""} />;
    case "br":
      return <br />;
    case "link":
      return <Link token={token} depth={depth} />;
    case "image":
      return <ImageLink token={token} />;
    case "escape":
      return <Plain text={token.text} />;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? (
        <Inlines tokens={token.tokens} depth={depth + 1} />
      ) : (
        <LinkedText text={decodeEntities(token.text)} />
      );
    case "html":
    case "checkbox":
      return <Plain text={token.type === "html" ? token.raw : ""} />;
  }
}

/** A file in inline code is a link; "`src/a.ts` lines 10–20" opens the lines. `next` = the text after it. */
function Code({ text, next }: { readonly text: string; readonly next: string }) {
  const reference = useMemo(() => referenceOfCode(text, next), [text, next]);
  const content = <Plain text={text} />;
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

const noLinks = { openPath: null };

function Link({ token, depth }: { readonly token: Tokens.Link; readonly depth: number }): ReactNode {
  const words = useWords();
  const { openPath } = useMarkdownLinks();
  const address = readAddress(decodeEntities(token.href));
  // Links must not be nested.
  const content = (
    <MarkdownLinksContext value={noLinks}>
      <Inlines tokens={token.tokens} depth={depth + 1} />
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
        <button type="button" data-link title={address.path} onClick={() => openPath(address.path, address.line)}>
          {content}
        </button>
      );
    case "blocked":
      return (
        <Fragment>
          {content}
          <span className="text-ink-faint" title={words.chat.blockedLink}>
            {" "}
            ({token.href})
          </span>
        </Fragment>
      );
  }
}

/** Remote images are not loaded: shows a link with the full host, path and query. */
function ImageLink({ token }: { readonly token: Tokens.Image }): ReactNode {
  const words = useWords();
  const { openPath } = useMarkdownLinks();
  const address = readAddress(decodeEntities(token.href));
  const alt = decodeEntities(token.text);
  if (address.kind === "path" && openPath !== null) {
    return (
      <button type="button" data-link onClick={() => openPath(address.path, undefined)}>
        <Icon of={FileCode} size={14} className="mr-1 inline" />
        <Plain text={alt === "" ? address.path : alt} />
      </button>
    );
  }
  if (address.kind !== "web") return <Plain text={alt === "" ? token.raw : alt} />;
  const url = new URL(address.href);
  return (
    <span
      className="inline-flex max-w-full items-baseline gap-1.5 rounded-mark border border-line px-1.5 text-base"
      title={words.chat.remoteImageNote}
    >
      <Icon
        of={Image}
        size={14}
        className="translate-y-0.5 text-ink-muted"
        label={words.chat.remoteImage(address.host)}
      />
      {alt !== "" && <Plain text={alt} />}
      <WebLink href={address.href} className="[overflow-wrap:anywhere]">
        {url.host}
        {url.pathname === "/" ? "" : url.pathname}
        {url.search}
      </WebLink>
    </span>
  );
}
