// The audit trail: who did what, when, from where, and how it ended.

import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { address, changeQuery, environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Id, SampleBlock } from '../../parts/copy.tsx';
import { Field, FilterInput } from '../../parts/form.tsx';
import { Link } from '../../parts/link.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { usePagedList } from '../../state/use-paged-list.ts';
import { words } from '../../words/en.ts';

type AuditEntry = Schemas['AuditEntry'];
type AuditAction = Schemas['AuditAction'];

/** Safe, because the table has every action and nothing else. */
const actions = Object.keys(words.audit.actions) as AuditAction[];

interface Filters {
  actor?: string;
  action?: AuditAction;
  user_id?: string;
  from?: string;
  to?: string;
}

export function AuditTab() {
  const { query } = address.value;
  const filters = readFilters(query);
  const trail = usePagedList(
    `audit ${environment.value} ${JSON.stringify(filters)}`,
    (cursor) =>
      unwrap(v1.GET('/v1/audit', { params: { query: { ...filters, ...(cursor === undefined ? {} : { cursor }) } } })),
    // A filtered read can look through a whole trail, so it is made once.
    { isLive: Object.keys(filters).length === 0 },
  );
  const search = new URLSearchParams(Object.entries(filters)).toString();
  return (
    <section class="page-section stack">
      <p class="muted">{words.audit.notes[environment.value]}</p>
      <FilterFields />
      <PagedTable of={trail} caption={words.audit.heading} columns={columns} empty={words.audit.empty} />
      <details class="request">
        <summary>{words.code.heading}</summary>
        <SampleBlock sample={{ method: 'GET', path: `/v1/audit${search === '' ? '' : `?${search}`}` }} />
      </details>
    </section>
  );
}

function readFilters(query: Readonly<Record<string, string>>): Filters {
  const action = actions.find((each) => each === query['action']);
  const { actor, user, from, to } = query;
  return {
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...(user ? { user_id: user } : {}),
    ...(from ? { from: toInstant(from, 0) } : {}),
    ...(to ? { to: toInstant(to, 1) } : {}),
  };
}

/** The reader's own midnight: of the day itself, or of the day after. */
function toInstant(day: string, daysLater: number): string {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

function FilterFields() {
  const { query } = address.value;
  const change = (name: string, value: string): void => changeQuery({ [name]: value || null }, { replace: true });
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <Field label={words.audit.action}>
        <select value={query['action'] ?? ''} onChange={(event) => change('action', event.currentTarget.value)}>
          <option value="">{words.audit.everyAction}</option>
          {actions.map((action) => (
            <option key={action} value={action}>
              {words.audit.actions[action]}
            </option>
          ))}
        </select>
      </Field>
      <Field label={words.audit.actor}>
        <FilterInput list="audit-actors" value={query['actor'] ?? ''} choose={(actor) => change('actor', actor)} />
        <datalist id="audit-actors">
          {Object.entries(words.audit.actors).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </datalist>
      </Field>
      <Field label={words.audit.person}>
        <FilterInput value={query['user'] ?? ''} choose={(user) => change('user', user)} />
      </Field>
      <Field label={words.audit.from}>
        <input
          type="date"
          value={query['from'] ?? ''}
          onChange={(event) => change('from', event.currentTarget.value)}
        />
      </Field>
      <Field label={words.audit.to}>
        <input type="date" value={query['to'] ?? ''} onChange={(event) => change('to', event.currentTarget.value)} />
      </Field>
    </form>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', name: words.audit.at, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: 'actor',
    name: words.audit.who,
    cell: ({ actor }) => (
      <>
        {toDisplayLine(actor.email ?? words.audit.actors[actor.kind])}
        {actor.id !== null && (
          <>
            <br />
            <Id value={actor.id} />
          </>
        )}
        {actor.maker_id !== null && (
          <>
            <br />
            {words.audit.madeBy} <Id value={actor.maker_id} />
          </>
        )}
      </>
    ),
  },
  { id: 'action', name: words.audit.what, cell: ({ action }) => words.audit.actions[action] },
  {
    id: 'about',
    name: words.audit.about,
    cell: ({ user_id, resource_ids }) => (
      <>
        {user_id !== null && (
          <Link to={`/people/${encodeURIComponent(user_id)}`}>
            <code>{user_id}</code>
          </Link>
        )}
        {resource_ids.map((id) => (
          <div key={id}>
            <Id value={id} />
          </div>
        ))}
      </>
    ),
  },
  {
    id: 'outcome',
    name: words.audit.outcome,
    cell: ({ outcome, code }) => (
      <>
        {words.audit.outcomes[outcome]} {code !== null && <code>{code}</code>}
      </>
    ),
  },
  {
    id: 'from',
    name: words.audit.network,
    cell: ({ network, request_id }) => (
      <>
        {network ?? words.none}
        {request_id !== null && (
          <>
            <br />
            <Id value={request_id} />
          </>
        )}
      </>
    ),
  },
];
