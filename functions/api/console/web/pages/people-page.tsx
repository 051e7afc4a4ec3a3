// Who is this? Everybody of the environment, newest first, and a box that finds one person.

import { chooseVisible } from '../../../../../shared/platform/display-line.ts';
import { address, changeQuery, environment } from '../address/address.ts';
import { consoleClient, type Schemas, v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { SampleBlock } from '../parts/copy.tsx';
import { Field } from '../parts/form.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { FailureNote, Panel } from '../parts/panel.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useResource } from '../state/resource.ts';
import { usePagedList } from '../state/use-paged-list.ts';
import { words } from '../words/en.ts';

type User = Schemas['User'];
const rowPixels = 60;

export function PeoplePage() {
  const q = address.value.query['q'] ?? '';
  return (
    <>
      <PageHead title={words.people.title} />
      <Field label={words.people.search} note={words.people.searchNote}>
        <input
          type="search"
          value={q}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => changeQuery({ q: event.currentTarget.value || null }, { replace: true })}
        />
      </Field>
      {q.trim() === '' ? <AllPeople /> : <FoundPeople q={q.trim()} />}
    </>
  );
}

function AllPeople() {
  const people = usePagedList(
    `people ${environment.value}`,
    (cursor) => unwrap(v1.GET('/v1/users', { params: { query: cursor === undefined ? {} : { cursor } } })),
    { isLive: true, pauseSeconds: 30 },
  );
  return (
    <Panel
      of={people.first}
      minHeight="30rem"
      isEmpty={({ data }) => data.length === 0}
      empty={
        <>
          <p>{words.people.empty}</p>
          <SampleBlock
            sample={{
              method: 'POST',
              path: '/v1/users',
              body: { external_ref: 'member-1', timezone: 'Europe/Berlin' },
            }}
          />
        </>
      }
    >
      {() => (
        <>
          <PeopleList people={people.list()} onEnd={people.loadMore} />
          <FailureNote failure={people.failure.value} retry={() => void people.loadMore()} />
        </>
      )}
    </Panel>
  );
}

function FoundPeople({ q }: { q: string }) {
  const found = useResource(`search ${environment.value} ${q}`, () =>
    unwrap(consoleClient.GET('/console/api/search', { params: { query: { q } } })),
  );
  return (
    <Panel of={found} isEmpty={({ data }) => data.length === 0} empty={words.people.nobody}>
      {({ data }) => <PeopleList people={data} />}
    </Panel>
  );
}

type ListedPerson = Pick<User, 'id' | 'external_ref'> & Partial<User>;

const PeopleList = ({ people, onEnd }: { people: readonly ListedPerson[]; onEnd?: () => void }) => (
  <VirtualList
    label={words.people.list}
    items={people}
    keyOf={({ id }) => id}
    rowPixels={rowPixels}
    {...(onEnd ? { onEnd } : {})}
  >
    {(person) => (
      <Link to={`/people/${encodeURIComponent(person.id)}`} class="person-row">
        <strong>{chooseVisible(person.external_ref, words.people.unnamed)}</strong>
        <code class="muted">{person.id}</code>
        <span class="muted">{describePlace(person)}</span>
        <span class="muted">
          {person.last_sync_at === undefined ? null : person.last_sync_at === null ? (
            words.people.neverSynced
          ) : (
            <>
              {words.people.synced} <RelativeTime at={person.last_sync_at} />
            </>
          )}
        </span>
      </Link>
    )}
  </VirtualList>
);

const describePlace = ({ status, timezone }: ListedPerson): string => {
  if (status === 'unshared') return words.people.unshared;
  return timezone === undefined ? '' : (timezone ?? words.people.noZone);
};
