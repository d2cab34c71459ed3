/** The path of a folder, with a button that copies it. */
import { useFullMessages } from "../../messages/full-messages";
import { CopyButton } from "../../ui/controls/copy-button";
import { VisibleText } from "../../ui/text/visible-text";

export function FolderPath({ path }: { readonly path: string }) {
  const { skills: text, common } = useFullMessages();
  return (
    <span className="flex items-start gap-1 max-tablet:items-center">
      <code className="min-w-0 py-0.5 font-mono text-code [overflow-wrap:anywhere]">
        <VisibleText text={path} names={common.hidden} />
      </code>
      <CopyButton text={() => path} name={text.copyPath} doneName={common.copied} />
    </span>
  );
}
