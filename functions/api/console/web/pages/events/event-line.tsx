// One event in the list: what, about whom, when.
import { address } from '../../address/address.ts';
import { Link } from '../../parts/link.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import type { ShownEvent } from '../../state/event-feed.ts';
import { formatDay, formatDayRange, formatList } from '../../state/format.ts';
import { words } from '../../words/en.ts';

const maxNamedMetrics = 3;

export function EventLine({ event, isOpen }: { event: ShownEvent; isOpen: boolean }) {
  const { path, query } = address.value;
  return (
    <div class={isOpen ? 'event-row open' : 'event-row'}>
      <Link to={path} query={{ ...query, event: event.event_id }}>
        <code>{event.event_type}</code>
        <span class="visually-hidden"> {event.event_id}</span>
      </Link>
      <span class="muted">{describeEvent(event)}</span>
      {event.user_id === null ? (
        <span />
      ) : (
        <Link to={`/people/${encodeURIComponent(event.user_id)}`}>
          <code>{event.user_id}</code>
        </Link>
      )}
      <span class="muted">
        <RelativeTime at={event.timestamp} />
      </span>
    </div>
  );
}

export function describeEvent(event: ShownEvent): string {
  const { metrics } = event;
  const named =
    metrics.length > maxNamedMetrics
      ? [words.events.allMetrics(metrics.length)]
      : metrics.length > 0
        ? [formatList(metrics)]
        : [];
  return [...named, ...describeDays(event)].join(' · ');
}

function describeDays(event: ShownEvent): string[] {
  if (!('from_date' in event) || !event.from_date || !event.to_date) return [];
  const { from_date: from, to_date: to } = event;
  return [from === to ? formatDay(from) : formatDayRange(from, to)];
}
