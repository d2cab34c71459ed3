/** Rows of the status page: a model server, the sessions at work with the cards that wait. */
import { engineConnectionId } from "@/lib/models/engine";
import { type HostStatus, isHostBroken, type SessionsStatus } from "@/lib/protocol/status-report";
import { connectionDisplayName } from "../../messages/connection-name";
import { useFullMessages } from "../../messages/full-messages";
import { StatusRow, StepLink } from "./status-row";
import { withBasePath } from "../../state/base-path";

export function HostRow({ host }: { readonly host: HostStatus }) {
  const messages = useFullMessages();
  const text = messages.status;
  const { id, address, models, error } = host;
  const name = id === "ollama" ? host.name : connectionDisplayName(host, messages);
  const place = id === engineConnectionId ? text.engineHere : address;
  const isMain = id === "ollama" || id === engineConnectionId;
  const link = (
    <StepLink path={isMain ? "/settings/model" : "/settings/connections"}>
      {isMain ? text.toModels : text.toConnections}
    </StepLink>
  );
  if (error === undefined)
    return (
      <StatusRow state="ok" name={name}>
        <p>{[place, text.models(models.length)].join(" · ")}</p>
        {models.length === 0 && id === "ollama" && (
          <>
            <p>{text.noModels}</p>
            {link}
          </>
        )}
      </StatusRow>
    );
  if (!isHostBroken(host))
    return (
      <StatusRow state="off" name={name}>
        <p>{text.notNeeded(address)}</p>
      </StatusRow>
    );
  return (
    <StatusRow state="broken" name={name}>
      <p>{place}</p>
      <p className="text-ink">{messages.errors.sentences[error.code]}</p>
      {link}
    </StatusRow>
  );
}

export function SessionsRow({ sessions: { working, cards } }: { readonly sessions: SessionsStatus }) {
  const { status: text } = useFullMessages();
  return (
    <StatusRow state="ok" name={text.sessions}>
      <p>{text.atWork(working)}</p>
      {cards.length > 0 && (
        <>
          <p>{text.cards}</p>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
            {cards.map(({ id, title, cwd }) => (
              <li key={id}>
                <a
                  href={withBasePath(`/s/${id}`)}
                  className="grid px-3 py-2 outline-none hover:bg-hover focus-visible:bg-hover max-tablet:min-h-11"
                >
                  <span className="cut font-medium text-ink">{title}</span>
                  <span className="cut text-small">{cwd}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </StatusRow>
  );
}
