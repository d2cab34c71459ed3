"use client";
/** Field for the message of a commit: it grows with its text, and the length of the first line is shown when it becomes long. */
import { useFullMessages } from "../../../messages/full-messages";
import { isForInputMethod } from "../../../ui/browser/is-for-input-method";
import { TextArea } from "../../../ui/controls/text-area";
import { classes } from "../../../ui/theme/classes";

interface CommitMessageFieldProps {
  readonly message: string;
  readonly minRows?: number;
  readonly onMessage: (message: string) => void;
  readonly onSubmit: () => void;
}

/** Characters of a first line that every list of commits shows, and those that most show. */
const subjectChars = { good: 50, most: 72 };

/** Wrapped lines count too; a browser without it uses the number of rows. */
const growing = "[&_textarea]:field-sizing-content [&_textarea]:max-h-48";

export function CommitMessageField({ message, minRows = 2, onMessage, onSubmit }: CommitMessageFieldProps) {
  const { commit: text } = useFullMessages();
  const length = [...(message.split("\n", 1)[0] ?? "")].length;
  return (
    <div className={classes("relative", growing, minRows > 2 ? "[&_textarea]:min-h-28" : "[&_textarea]:min-h-14")}>
      <TextArea
        rows={Math.min(8, Math.max(minRows, message.split("\n").length))}
        value={message}
        placeholder={text.message}
        aria-label={text.message}
        onChange={({ target }) => onMessage(target.value)}
        onKeyDown={(event) => {
          const isSubmit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (!isSubmit || isForInputMethod(event.nativeEvent)) return;
          event.preventDefault();
          onSubmit();
        }}
      />
      {length > subjectChars.good && (
        <span
          title={text.subjectNote}
          className={classes(
            "absolute right-2 bottom-1.5 rounded-control bg-canvas px-1 text-tiny tabular-nums",
            length > subjectChars.most ? "text-ask" : "text-ink-faint",
          )}
        >
          {text.subject(length, subjectChars.most)}
        </span>
      )}
    </div>
  );
}
