// After saving: how many of the days that change have their new value, and the event that follows.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Id } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { createFeedReader } from '../../state/event-feed.ts';
import { formatExactTime } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { Person } from '../person/person-state.ts';
import type { Preview } from './request-preview.ts';

export interface SavedChange {
  preview: Preview;
  /** The event that the rebuild emitted, as soon as there is one. */
  findEvent: () => Promise<Schemas['Event'] | undefined>;
}

/** Call it before the change is saved: events of before are not those of the change. */
export async function followChange(person: Person, preview: Preview): Promise<SavedChange> {
  // A time of the server: the browser's clock may be wrong.
  const from = new Date(person.last_sync_at ?? person.created_at);
  const readEvents = createFeedReader({ userId: person.id, types: ['subject.synced'], from });
  const known = new Set((await readEvents()).events.map(({ event_id }) => event_id));
  return {
    preview,
    findEvent: async () => (await readEvents()).events.findLast(({ event_id }) => !known.has(event_id)),
  };
}

const texts = words.consolidation.rebuild;

interface RebuildProgressProps {
  personId: string;
  change: SavedChange;
  onClose: () => void;
}

export function RebuildProgress({ personId, change, onClose }: RebuildProgressProps) {
  const read = useMemo(() => createProgressReader(personId, change), [change]);
  const progress = useResource(`rebuild ${environment.value} ${personId}`, read, { isLive: true });
  // The button that saved is gone.
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section class="rebuild" ref={section} tabIndex={-1} aria-live="polite" aria-label={texts.label}>
      <Panel of={progress} minHeight="3rem">
        {({ done, changing, event }) => (
          <>
            {changing === 0 ? (
              <p>{texts.noneOfLast(change.preview.dates.length)}</p>
            ) : (
              <p>
                <progress max={changing} value={done} aria-label={texts.label} /> {texts.days(done, changing)}
              </p>
            )}
            {event ? (
              <p>
                <code>{event.event_type}</code> <Id value={event.event_id} />{' '}
                {formatExactTime(new Date(event.timestamp))}
              </p>
            ) : (
              // Older days may change or not, so only a changing day promises an event.
              changing > 0 && <p>{texts.eventFollows}</p>
            )}
          </>
        )}
      </Panel>
      <button type="button" class="button" onClick={onClose}>
        {texts.close}
      </button>
    </section>
  );
}

function createProgressReader(personId: string, { preview, findEvent }: SavedChange) {
  const days = listChangingDays(preview);
  return async () => {
    if (days.length === 0) return { done: 0, changing: 0, event: await findEvent() };
    const query = {
      types: preview.metrics.map(({ metric }) => metric).join(','),
      from_date: preview.from_date,
      to_date: preview.to_date,
    };
    const params = { path: { id: personId }, query };
    const [daily, event] = await Promise.all([unwrap(v1.GET('/v1/users/{id}/daily', { params })), findEvent()]);
    const series: Readonly<Record<string, readonly (number | null)[] | undefined>> = daily.series;
    const done = days.filter(({ date, values }) =>
      values.every(({ metric, before }) => (series[metric]?.[daily.dates.indexOf(date)] ?? null) !== before),
    ).length;
    return { done, changing: days.length, event };
  };
}

/** The days on which a value changes, each with every value that does. */
const listChangingDays = ({ dates, metrics }: Preview) =>
  dates.flatMap((date, at) => {
    const values = metrics.flatMap(({ metric, before, after }) => {
      const [now, next] = [before[at] ?? null, after[at] ?? null];
      return now === next ? [] : [{ metric, before: now }];
    });
    return values.length === 0 ? [] : [{ date, values }];
  });
