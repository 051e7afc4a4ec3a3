// What stays readable of a person who was erased: who requested it and when, and the event that says
// what is gone. Neither has anything of the person but the id.
import { useMemo } from 'preact/hooks';
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { CopyButton, Id } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { createFeedReader } from '../../state/event-feed.ts';
import { formatExactTime, formatNumber, nameOfId } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { hasRole, valueRoles } from '../../state/session.ts';
import { words } from '../../words/en.ts';

const texts = words.person.erased;

/** Events are retained for 90 days. */
const retentionMilliseconds = 90 * 86_400_000;

interface ErasedPersonProps {
  id: string;
  /** Why the person could not be read, for an id that nobody ever had. */
  failure: Error;
  retry: () => void;
}

export function ErasedPerson({ id, failure, retry }: ErasedPersonProps) {
  const key = `erased ${environment.value} ${id}`;
  const read = useMemo(() => createReceiptReader(id), [key]);
  const receipt = useResource(key, read, { isLive: true });
  return (
    <Panel of={receipt} minHeight="16rem">
      {({ request, event }) =>
        request || event ? (
          <article class="narrow receipt">
            <PageHead title={event ? texts.done : texts.begun} lead={<Id value={id} />} />
            <dl class="fact-list">
              {request && (
                <div>
                  <dt>{texts.requested}</dt>
                  <dd>{formatExactTime(new Date(request.at))}</dd>
                  <dd class="muted">{request.actor.email ?? words.audit.actors[request.actor.kind]}</dd>
                </div>
              )}
              <div>
                <dt>{texts.erased}</dt>
                <dd>{event ? formatExactTime(new Date(event.timestamp)) : texts.waiting}</dd>
              </div>
              {event &&
                Object.entries(event.erased).map(([kind, count]) => (
                  <div key={kind}>
                    <dt>{nameOfId(kind)}</dt>
                    <dd>{formatNumber(count)}</dd>
                  </div>
                ))}
              {event && (
                <div>
                  <dt>{texts.event}</dt>
                  <dd>
                    <Id value={event.event_id} />
                  </dd>
                </div>
              )}
            </dl>
            <p class="muted">{texts.retention}</p>
            <p class="actions">
              <CopyButton text={JSON.stringify({ request, event }, null, 2)} label={texts.copy} />
              <span class="muted">{texts.copy}</span>
            </p>
            <p>
              <Link to="/people">{words.person.erase.back}</Link>
            </p>
          </article>
        ) : (
          <FailureNote failure={failure} retry={retry} />
        )
      }
    </Panel>
  );
}

function createReceiptReader(id: string) {
  let readEvents: ReturnType<typeof createFeedReader> | undefined;
  return async () => {
    const query = { user_id: id, action: 'user.deleted', limit: 1 } as const;
    // Support reads no audit trail.
    const acts = hasRole(valueRoles) ? await unwrap(v1.GET('/v1/audit', { params: { query } })) : undefined;
    const request = acts?.data[0];
    const from = new Date(request?.at ?? Date.now() - retentionMilliseconds);
    readEvents ??= createFeedReader({ userId: id, types: ['user.deleted'], from });
    const event = (await readEvents()).events.find((each) => each.event_type === 'user.deleted');
    return { request, event };
  };
}
