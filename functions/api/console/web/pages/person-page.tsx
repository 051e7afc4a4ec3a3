// Is this person's data right? Their devices, then their days, nights, workouts and scores.
import { address, environment } from '../address/address.ts';
import { v1 } from '../api/client.ts';
import { ApiFailure, unwrap } from '../api/failures.ts';
import { assignDeviceMarks } from '../charts/device-colors.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { nameOfPerson } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { everyRole, hasRole, valueRoles } from '../state/session.ts';
import { words } from '../words/en.ts';
import { ConsolidationTab } from './consolidation/consolidation-tab.tsx';
import { DaysTab } from './person/days-tab.tsx';
import { DeviceList } from './person/device-list.tsx';
import { ErasedPerson } from './person/erased-person.tsx';
import { EventsTab } from './person/events-tab.tsx';
import { NightsTab } from './person/nights-tab.tsx';
import { PersonActions, PersonFacts } from './person/person-head.tsx';
import { type Person, type PersonContext, personToday, readRange, zoneOf } from './person/person-state.ts';
import { ScoresTab } from './person/scores-tab.tsx';
import { UploadsTab } from './person/uploads-tab.tsx';
import { WorkoutsTab } from './person/workouts-tab.tsx';

/** A tab that would only show a refusal is left out, as in the settings. */
const allTabs = [
  { id: 'days', roles: valueRoles, Tab: DaysTab },
  { id: 'nights', roles: valueRoles, Tab: NightsTab },
  { id: 'workouts', roles: valueRoles, Tab: WorkoutsTab },
  { id: 'scores', roles: valueRoles, Tab: ScoresTab },
  { id: 'uploads', roles: everyRole, Tab: UploadsTab },
  { id: 'events', roles: everyRole, Tab: EventsTab },
  { id: 'consolidation', roles: everyRole, Tab: ConsolidationTab },
] as const;

export function PersonPage({ id = '' }: Readonly<Record<string, string>>) {
  const person = useResource(
    `person ${environment.value} ${id}`,
    () => unwrap(v1.GET('/v1/users/{id}', { params: { path: { id } } })),
    { isLive: true },
  );
  const failure = person.failure.value;
  if (failure instanceof ApiFailure && failure.status === 404)
    return <ErasedPerson id={id} failure={failure} retry={() => void person.reload()} />;
  return (
    <Panel of={person} minHeight="30rem">
      {(data) => <LoadedPerson person={data} reload={person.reload} />}
    </Panel>
  );
}

function LoadedPerson({ person, reload }: { person: Person; reload: () => Promise<void> }) {
  const today = personToday(person);
  const context: PersonContext = {
    person,
    zone: zoneOf(person),
    today,
    devices: person.devices,
    marks: assignDeviceMarks(person.devices),
    range: readRange(today),
  };
  const tabs = allTabs.filter(({ roles }) => hasRole(roles));
  const current = tabs.find(({ id }) => id === address.value.query['tab']) ?? tabs[0];
  return (
    <>
      <PageHead
        title={nameOfPerson(person)}
        lead={<PersonFacts context={context} />}
        actions={<PersonActions context={context} reload={reload} />}
      />
      {person.status === 'unshared' && <p class="note">{words.person.unshared}</p>}
      <DeviceList context={context} reload={reload} />
      <Tabs
        label={words.person.tabs.label}
        name="tab"
        choices={tabs.map(({ id }) => ({ id, name: words.person.tabs[id] }))}
        current={current?.id ?? ''}
      />
      {current && (
        <div class="tab-body">
          <h2 class="visually-hidden">{words.person.tabs[current.id]}</h2>
          <current.Tab context={context} />
        </div>
      )}
    </>
  );
}
