// What happened to the person's data, as your server hears it. Events carry no health values.
import { useMemo } from 'preact/hooks';
import { environment } from '../../address/address.ts';
import { Id, SampleBlock } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { createFeedReader } from '../../state/event-feed.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

const shownEvents = 100;

export function EventsTab({ context: { person } }: { context: PersonContext }) {
  const key = `events ${environment.value} ${person.id}`;
  const read = useMemo(() => createFeedReader({ userId: person.id, types: [], since: person.created_at }), [key]);
  const events = useResource(key, read, { isLive: true });
  return (
    <Panel of={events} minHeight="20rem" isEmpty={(view) => view.events.length === 0} empty={words.person.events.empty}>
      {(view) => (
        <>
          <DataTable
            caption={words.person.tabs.events}
            rows={view.events.slice(0, shownEvents)}
            keyOf={({ event_id }) => event_id}
            columns={[
              { id: 'when', name: words.person.events.when, cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
              { id: 'type', name: words.person.events.type, cell: ({ event_type }) => <code>{event_type}</code> },
              { id: 'about', name: words.person.events.about, cell: (event) => describeEvent(event) },
              { id: 'id', name: words.person.events.id, cell: ({ event_id }) => <Id value={event_id} /> },
            ]}
          />
          <SampleBlock sample={{ method: 'GET', path: `/v1/events?user_id=${person.id}` }} />
        </>
      )}
    </Panel>
  );
}

/** What an event is about, without the fields that stand in other columns. */
function describeEvent(event: object): string {
  const { metrics, from_date, to_date, provider }: Record<string, unknown> = { ...event };
  const days = typeof from_date === 'string' && typeof to_date === 'string' ? [`${from_date} – ${to_date}`] : [];
  const names = Array.isArray(metrics) ? [metrics.slice(0, 4).join(', ') + (metrics.length > 4 ? ' …' : '')] : [];
  return [...names, ...days, ...(typeof provider === 'string' ? [provider] : [])].join(' · ') || words.none;
}
