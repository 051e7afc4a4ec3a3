// What happened, in order? The feed of the environment, newest first, growing while it is open.
import { useMemo } from 'preact/hooks';
import { address, changeQuery, environment } from '../address/address.ts';
import { CopyButton, SampleBlock } from '../parts/copy.tsx';
import { Field, FilterInput } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { createFeedReader, type FeedWindow, type ShownEvent } from '../state/event-feed.ts';
import { eventTypes, type FeedEventType } from '../state/event-types.ts';
import { type FeedView, maxShownEvents } from '../state/follow-feed.ts';
import { formatExactTime, formatNumber } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { words } from '../words/en.ts';
import { EventAside } from './events/event-aside.tsx';
import { EventLine } from './events/event-line.tsx';

/** The first one is the default. */
const windows = ['day', 'hour', 'week', 'all'] as const satisfies readonly FeedWindow[];
const rowPixels = 52;

export function EventsPage() {
  const { query } = address.value;
  const feedWindow = windows.find((each) => each === query['window']) ?? 'day';
  const chosen = (query['types'] ?? '').split(',');
  const types = eventTypes.filter((type) => chosen.includes(type));
  const person = query['person'] ?? '';
  const key = `events ${environment.value} ${feedWindow} ${types.join()} ${person}`;
  const read = useMemo(
    () => createFeedReader({ from: feedWindow, types, userId: person === '' ? undefined : person }),
    [key],
  );
  const feed = useResource(key, read, { isLive: true });
  return (
    <>
      <PageHead title={words.events.title} lead={words.events.lead} />
      <Filters feedWindow={feedWindow} types={types} person={person} />
      <Panel
        of={feed}
        minHeight="30rem"
        isEmpty={({ events, isBehind }) => events.length === 0 && !isBehind}
        empty={
          <>
            <p>{words.events.empty}</p>
            {feedWindow !== 'all' && (
              <button type="button" class="button" onClick={() => changeQuery({ window: 'all' })}>
                {words.events.emptyAction}
              </button>
            )}
          </>
        }
      >
        {(view) => <EventList view={view} />}
      </Panel>
      {feed.data.value && <CursorNote cursor={feed.data.value.cursor} types={types} person={person} />}
    </>
  );
}

interface FiltersProps {
  feedWindow: FeedWindow;
  types: readonly FeedEventType[];
  person: string;
}

function Filters({ feedWindow, types, person }: FiltersProps) {
  const toggle = (type: FeedEventType, isOn: boolean): void => {
    const next = eventTypes.filter((each) => (each === type ? isOn : types.includes(each)));
    changeQuery({ types: next.length === 0 ? null : next.join(), event: null });
  };
  return (
    <section class="event-filters" aria-label={words.events.filters}>
      <Tabs
        isSmall
        label={words.events.window}
        name="window"
        current={feedWindow}
        choices={windows.map((id) => ({ id, name: words.events.windows[id] }))}
      />
      <details class="type-filter">
        <summary>
          {words.events.types}: {types.length === 0 ? words.events.allTypes : words.events.typeCount(types.length)}
        </summary>
        <div class="event-types">
          {eventTypes.map((type) => (
            <label key={type}>
              <input
                type="checkbox"
                checked={types.includes(type)}
                onChange={(event) => toggle(type, event.currentTarget.checked)}
              />{' '}
              <code>{type}</code>
            </label>
          ))}
        </div>
        {types.length > 0 && (
          <button type="button" class="link-button" onClick={() => changeQuery({ types: null })}>
            {words.events.clearTypes}
          </button>
        )}
      </details>
      <Field label={words.events.person} note={words.events.personNote}>
        <FilterInput type="search" value={person} choose={(id) => changeQuery({ person: id || null, event: null })} />
      </Field>
    </section>
  );
}

function EventList({ view }: { view: FeedView<ShownEvent> }) {
  const { events, isBehind, isWhole, isTrimmed, sinceMs } = view;
  const { event: openId } = address.value.query;
  const newest = events[0];
  return (
    <>
      <p class="muted" role="status">
        {words.events.count(events.length, formatNumber(events.length))}.{' '}
        {isBehind
          ? newest
            ? words.events.behind(formatExactTime(new Date(newest.timestamp)))
            : words.events.behindAtStart
          : words.events.live}{' '}
        {isTrimmed
          ? words.events.trimmed(formatNumber(maxShownEvents))
          : !isWhole && words.events.shortened(formatExactTime(new Date(sinceMs)))}
      </p>
      <div class={openId === undefined ? undefined : 'with-aside'}>
        <VirtualList label={words.events.list} items={events} keyOf={({ event_id }) => event_id} rowPixels={rowPixels}>
          {(event) => <EventLine event={event} isOpen={event.event_id === openId} />}
        </VirtualList>
        {openId !== undefined && (
          <EventAside
            key={openId}
            event={events.find(({ event_id }) => event_id === openId)}
            onClose={() => changeQuery({ event: null })}
          />
        )}
      </div>
    </>
  );
}

interface CursorNoteProps {
  cursor: string;
  types: readonly FeedEventType[];
  person: string;
}

function CursorNote({ cursor, types, person }: CursorNoteProps) {
  const search = new URLSearchParams({
    cursor,
    ...(types.length === 0 ? {} : { types: types.join() }),
    ...(person === '' ? {} : { user_id: person }),
  });
  return (
    <section class="cursor-note" aria-labelledby="cursor-title">
      <h2 id="cursor-title">{words.events.cursor}</h2>
      <p class="muted">{words.events.cursorNote}</p>
      <p>
        <code class="endpoint-url">{cursor}</code> <CopyButton text={cursor} label={words.events.copyCursor} />
      </p>
      <SampleBlock sample={{ method: 'GET', path: `/v1/events?${search}` }} />
    </section>
  );
}
