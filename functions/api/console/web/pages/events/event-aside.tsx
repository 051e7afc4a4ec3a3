// One event next to the list, as the API returns it.
import { useEffect, useRef } from 'preact/hooks';
import { Id, TextBlock } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import type { ShownEvent } from '../../state/event-feed.ts';
import { words } from '../../words/en.ts';

interface EventDetailsProps {
  /** Undefined if the list does not have it. */
  event: ShownEvent | undefined;
  onClose: () => void;
}

export function EventAside({ event, onClose }: EventDetailsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside class="aside" aria-labelledby="event-title">
      <header>
        <h2 id="event-title" ref={heading} tabIndex={-1}>
          {event?.event_type ?? words.events.event}
        </h2>
        <button type="button" class="button" onClick={onClose}>
          {words.events.close}
        </button>
      </header>
      {event ? (
        <>
          <dl class="fact-list">
            <div>
              <dt>{words.events.event}</dt>
              <dd>
                <Id value={event.event_id} />
              </dd>
            </div>
            <div>
              <dt>{words.events.at}</dt>
              <dd>
                <RelativeTime at={event.timestamp} />
              </dd>
            </div>
          </dl>
          {event.user_id !== null && (
            <p>
              <Link to={`/people/${encodeURIComponent(event.user_id)}`}>{words.events.showPerson}</Link>
            </p>
          )}
          <TextBlock text={JSON.stringify(event, null, 2)} />
        </>
      ) : (
        <p>{words.events.notListed}</p>
      )}
    </aside>
  );
}
