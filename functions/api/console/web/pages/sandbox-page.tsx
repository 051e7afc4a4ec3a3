// How do I try it? Creates a fictional person, and connects a simulated device to one.

import { useSignal } from '@preact/signals';
import { address, changeQuery, environment, switchEnvironment } from '../address/address.ts';
import { type Schemas, v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { CopyButton, SampleBlock } from '../parts/copy.tsx';
import { ActionForm, Field } from '../parts/form.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { nameOfPerson } from '../state/format.ts';
import { type Resource, useResource } from '../state/resource.ts';
import { isPermitted } from '../state/session.ts';
import { words } from '../words/en.ts';

type User = Schemas['User'];
type Persona = Schemas['SandboxPersona'];

export function SandboxPage() {
  const people = useResource(
    environment.value === 'sandbox' ? 'sandbox people' : undefined,
    () => unwrap(v1.GET('/v1/users')),
    { isLive: true, pauseSeconds: 30 },
  );
  return (
    <>
      <PageHead title={words.sandbox.title} lead={words.sandbox.lead} />
      {environment.value === 'sandbox' ? (
        <div class="columns">
          <CreatePerson onCreated={() => void people.reload()} />
          <div>
            <ConnectDevice people={people} />
            <FailingConnection />
          </div>
        </div>
      ) : (
        <div class="empty">
          <p>{words.sandbox.liveNote}</p>
          <button type="button" class="primary-button" onClick={() => switchEnvironment('sandbox')}>
            {words.sandbox.switch}
          </button>
        </div>
      )}
    </>
  );
}

// The keys are those of a table whose type says so.
const personas = Object.keys(words.sandbox.personas) as Persona[];
const minDays = 7;
const maxDays = 366;
const defaultDays = 30;

interface PersonFields {
  persona: Persona;
  reference: string;
  zone: string;
  days: number;
  seed: string;
}

const toNewUser = ({ persona, reference, zone, days, seed }: PersonFields): Schemas['NewUser'] => ({
  ...(reference.trim() === '' ? {} : { external_ref: reference.trim() }),
  ...(zone.trim() === '' ? {} : { timezone: zone.trim() }),
  profile: {
    sandbox_persona: persona,
    sandbox_days: days,
    ...(seed.trim() === '' ? {} : { sandbox_seed: seed.trim() }),
  },
});

function CreatePerson({ onCreated }: { onCreated: () => void }) {
  const fields = useSignal<PersonFields>({
    persona: 'average',
    reference: '',
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: defaultDays,
    seed: '',
  });
  const created = useSignal<User | undefined>(undefined);
  const set = (changes: Partial<PersonFields>): void => {
    fields.value = { ...fields.value, ...changes };
  };
  const body = toNewUser(fields.value);
  if (!isPermitted('state'))
    return (
      <section class="stack">
        <h2>{words.sandbox.create}</h2>
        <p class="muted">{words.sandbox.notYourRole}</p>
      </section>
    );
  return (
    <section class="stack">
      <h2>{words.sandbox.create}</h2>
      <p class="muted">{words.sandbox.createNote}</p>
      <ActionForm
        action={words.sandbox.createButton}
        act={async () => {
          const user = await unwrap(v1.POST('/v1/users', { body }));
          created.value = user;
          set({ reference: '' });
          changeQuery({ person: user.id });
          onCreated();
        }}
      >
        <Field label={words.sandbox.persona}>
          <select
            value={fields.value.persona}
            onChange={({ currentTarget }) => {
              const persona = personas.find((each) => each === currentTarget.value);
              if (persona) set({ persona });
            }}
          >
            {personas.map((each) => (
              <option key={each} value={each}>
                {words.sandbox.personas[each]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.sandbox.days} note={words.sandbox.daysNote}>
          <input
            type="number"
            min={minDays}
            max={maxDays}
            step={1}
            required
            value={fields.value.days}
            onInput={(event) => set({ days: event.currentTarget.valueAsNumber || minDays })}
          />
        </Field>
        <Field label={words.sandbox.seed} note={words.sandbox.seedNote}>
          <input
            value={fields.value.seed}
            maxLength={64}
            pattern="[A-Za-z0-9._\-]+"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set({ seed: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.sandbox.reference} note={words.sandbox.referenceNote}>
          <input
            value={fields.value.reference}
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set({ reference: event.currentTarget.value })}
          />
        </Field>
        <Field label={words.sandbox.zone} note={words.sandbox.zoneNote}>
          <input
            value={fields.value.zone}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set({ zone: event.currentTarget.value })}
          />
        </Field>
      </ActionForm>
      <p role="status">
        {created.value && (
          <>
            {created.value.profile.sandbox_persona === 'empty'
              ? words.sandbox.createdEmpty(nameOfPerson(created.value))
              : words.sandbox.created(nameOfPerson(created.value))}{' '}
            <Link to={`/people/${encodeURIComponent(created.value.id)}`}>
              {words.sandbox.open(nameOfPerson(created.value))}
            </Link>
          </>
        )}
      </p>
      <details class="request">
        <summary>{words.code.heading}</summary>
        <SampleBlock sample={{ method: 'POST', path: '/v1/users', body }} />
      </details>
    </section>
  );
}

function ConnectDevice({ people }: { people: Resource<{ data: User[]; next_cursor: string | null }> }) {
  return (
    <section class="stack">
      <h2>{words.sandbox.connect}</h2>
      <p class="muted">{words.sandbox.connectNote}</p>
      {isPermitted('credentials') ? (
        <Panel of={people} isEmpty={({ data }) => data.length === 0} empty={words.sandbox.noPeople}>
          {({ data }) => <ConnectForm people={data} />}
        </Panel>
      ) : (
        <p class="muted">{words.sandbox.noLinks}</p>
      )}
    </section>
  );
}

function ConnectForm({ people }: { people: readonly User[] }) {
  const link = useSignal<(Schemas['ConnectLink'] & { person: string }) | undefined>(undefined);
  const requested = address.value.query['person'];
  const chosen = people.find(({ id }) => id === requested) ?? people[0];
  if (!chosen) return null;
  return (
    <>
      <ActionForm
        action={words.sandbox.createLink}
        act={async () => {
          const params = { path: { id: chosen.id } };
          const created = await unwrap(v1.POST('/v1/users/{id}/connect-links', { params, body: {} }));
          link.value = { ...created, person: chosen.id };
        }}
      >
        <Field label={words.sandbox.person}>
          <select value={chosen.id} onChange={(event) => changeQuery({ person: event.currentTarget.value })}>
            {people.map((person) => (
              <option key={person.id} value={person.id}>
                {nameOfPerson(person)}
              </option>
            ))}
          </select>
        </Field>
      </ActionForm>
      <div role="status">
        {link.value?.person === chosen.id && (
          <>
            <p class="secret">
              <code>{link.value.url}</code> <CopyButton text={link.value.url} />
            </p>
            <p>
              <a href={link.value.url} target="_blank" rel="noreferrer">
                {words.sandbox.openLink}
              </a>{' '}
              <span class="muted">
                {words.sandbox.linkEnds} <RelativeTime at={link.value.expires_at} />
              </span>
            </p>
          </>
        )}
      </div>
      <p>
        <Link to={`/people/${encodeURIComponent(chosen.id)}`}>{words.sandbox.open(nameOfPerson(chosen))}</Link>
      </p>
    </>
  );
}

const FailingConnection = () => (
  <section class="page-section stack">
    <h2>{words.sandbox.fail}</h2>
    <ol class="steps">
      {words.sandbox.failSteps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
    <p class="muted">{words.sandbox.failLimit}</p>
  </section>
);
