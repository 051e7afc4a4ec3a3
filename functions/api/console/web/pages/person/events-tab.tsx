// What happened to the person's data, as your server hears it. Events carry no health values.
import { useMemo } from 'preact/hooks';
import { address, environment } from '../../address/address.ts';
import { Id, SampleBlock } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { createFeedReader, type FeedWindow } from '../../state/event-feed.ts';
import { formatExactTime, formatNumber } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

/** The first one is the default. */
const windows = ['day', 'hour', 'week'] as const satisfies readonly FeedWindow[];
/** The newest ones; the page about events shows more. */
const maxRows = 100;

export function EventsTab({ context: { person } }: { context: PersonContext }) {
  const feedWindow = windows.find((each) => each === address.value.query['window']) ?? 'day';
  const key = `events ${environment.value} ${person.id} ${feedWindow}`;
  const read = useMemo(() => createFeedReader({ from: feedWindow, userId: person.id }), [key]);
  const feed = useResource(key, read, { isLive: true });
  return (
    <>
      <Tabs
        isSmall
        label={words.events.window}
        name="window"
        current={feedWindow}
        choices={windows.map((id) => ({ id, name: words.events.windows[id] }))}
      />
      <Panel
        of={feed}
        minHeight="20rem"
        isEmpty={({ events, isWhole, isBehind }) => events.length === 0 && isWhole && !isBehind}
        empty={words.person.events.empty}
      >
        {({ events, sinceMs }) => {
          const rows = events.slice(0, maxRows);
          const last = rows.length < events.length ? rows.at(-1) : undefined;
          const since = formatExactTime(new Date(last?.timestamp ?? sinceMs));
          return (
            <>
              <p class="muted" role="status">
                {words.person.events.since(rows.length, formatNumber(rows.length), since)}
              </p>
              <DataTable
                caption={words.person.tabs.events}
                rows={rows}
                keyOf={({ event_id }) => event_id}
                columns={[
                  {
                    id: 'when',
                    name: words.person.events.when,
                    cell: ({ timestamp }) => <RelativeTime at={timestamp} />,
                  },
                  { id: 'type', name: words.person.events.type, cell: ({ event_type }) => <code>{event_type}</code> },
                  { id: 'about', name: words.person.events.about, cell: (event) => describeEvent(event) },
                  { id: 'id', name: words.person.events.id, cell: ({ event_id }) => <Id value={event_id} /> },
                ]}
              />
            </>
          );
        }}
      </Panel>
      <SampleBlock sample={{ method: 'GET', path: `/v1/events?user_id=${person.id}` }} />
    </>
  );
}

/** What an event is about, without the fields that stand in other columns. */
function describeEvent(event: object): string {
  const { metrics, from_date, to_date, provider }: Record<string, unknown> = { ...event };
  const days = typeof from_date === 'string' && typeof to_date === 'string' ? [`${from_date} – ${to_date}`] : [];
  const names =
    Array.isArray(metrics) && metrics.length > 0
      ? [metrics.slice(0, 4).join(', ') + (metrics.length > 4 ? ' …' : '')]
      : [];
  return [...names, ...days, ...(typeof provider === 'string' ? [provider] : [])].join(' · ') || words.none;
}
