// The roster: the members who share their data, and the invitations to join them.

import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { address, environment, hrefOf } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { Link } from '../../parts/link.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { isPermitted } from '../../state/session.ts';
import { type ShownList, usePagedList } from '../../state/use-paged-list.ts';
import { words } from '../../words/en.ts';
import { InvitationDialog, InviteMemberDialog, MemberDialog } from './roster-dialogs.tsx';

type Member = Schemas['Member'];
type Invitation = Schemas['Invitation'];

const lists = ['members', 'invitations'] as const;
const memberStatuses = ['active', 'archived'] as const;
const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const;

export function RosterTab() {
  const current = lists.find((list) => list === address.value.query['list']) ?? 'members';
  const canChange = isPermitted('state') && environment.value === 'live';
  return (
    <section class="page-section stack">
      <div class="section-head">
        <Tabs
          label={words.roster.lists.label}
          name="list"
          choices={lists.map((id) => ({ id, name: words.roster.lists[id] }))}
          current={current}
          isSmall
        />
        {canChange && (
          <button type="button" class="primary-button" onClick={() => openDialog('invite-member')}>
            {words.roster.invite}
          </button>
        )}
      </div>
      {environment.value === 'sandbox' && (
        <p class="muted">
          {words.roster.sandboxNote}{' '}
          <a href={hrefOf('/settings', { ...address.value.query, env: 'live' })}>{words.roster.seeLive}</a>
        </p>
      )}
      {current === 'members' ? <Members canChange={canChange} /> : <Invitations canChange={canChange} />}
    </section>
  );
}

const StatusChoices = ({ statuses, current }: { statuses: readonly Status[]; current: string }) => (
  <Tabs
    label={words.roster.status}
    name="status"
    choices={[
      { id: 'all', name: words.roster.everyStatus },
      ...statuses.map((id) => ({ id, name: words.roster.statuses[id] })),
    ]}
    current={current}
    isSmall
  />
);

type Status = (typeof memberStatuses)[number] | (typeof invitationStatuses)[number];

function Members({ canChange }: { canChange: boolean }) {
  const status = memberStatuses.find((each) => each === address.value.query['status']);
  const members = usePagedList(`members ${environment.value} ${status}`, (cursor) =>
    unwrap(v1.GET('/v1/team/roster', { params: { query: { ...(status && { status }), ...(cursor && { cursor }) } } })),
  );
  return (
    <>
      <StatusChoices statuses={memberStatuses} current={status ?? 'all'} />
      <PagedTable
        of={members}
        caption={words.roster.lists.members}
        columns={canChange ? [...memberColumns, memberActs] : memberColumns}
        empty={words.roster.noMembers}
      />
      {canChange && <OpenedDialogs members={members} />}
    </>
  );
}

function Invitations({ canChange }: { canChange: boolean }) {
  const status = invitationStatuses.find((each) => each === address.value.query['status']);
  const invitations = usePagedList(
    `invitations ${environment.value} ${status}`,
    (cursor) =>
      unwrap(
        v1.GET('/v1/team/roster/invitations', {
          params: { query: { ...(status && { status }), ...(cursor && { cursor }) } },
        }),
      ),
    { isLive: true },
  );
  return (
    <>
      <StatusChoices statuses={invitationStatuses} current={status ?? 'all'} />
      <PagedTable
        of={invitations}
        caption={words.roster.lists.invitations}
        columns={canChange ? [...invitationColumns, invitationActs] : invitationColumns}
        empty={words.roster.noInvitations}
      />
      {canChange && <OpenedDialogs invitations={invitations} />}
    </>
  );
}

function OpenedDialogs({ members, invitations }: { members?: ShownList<Member>; invitations?: ShownList<Invitation> }) {
  const { act, target } = openedDialog.value;
  const reload = async (): Promise<void> => {
    await (members ?? invitations)?.reload();
  };
  if (act === 'invite-member') return <InviteMemberDialog reload={reload} />;
  const member = members?.list().find(({ id }) => id === target);
  if (member) return <MemberDialog act={act} member={member} reload={reload} />;
  const invitation = invitations?.list().find(({ id }) => id === target);
  return invitation ? <InvitationDialog act={act} invitation={invitation} reload={reload} /> : null;
}

const PersonLink = ({ id }: { id: string | null }) =>
  id === null ? (
    <span>{words.none}</span>
  ) : (
    <Link to={`/people/${encodeURIComponent(id)}`}>
      <code>{id}</code>
    </Link>
  );

const Name = ({ email, name }: { email: string | null; name: string | null }) => (
  <>
    {toDisplayLine(name ?? email ?? words.none)}
    {name !== null && email !== null && (
      <>
        <br />
        <span class="muted">{toDisplayLine(email)}</span>
      </>
    )}
  </>
);

const memberColumns: readonly Column<Member>[] = [
  { id: 'who', name: words.roster.who, cell: (member) => <Name {...member} /> },
  { id: 'status', name: words.roster.status, cell: ({ status }) => words.roster.statuses[status] },
  { id: 'joined', name: words.roster.joined, cell: ({ joined_at }) => <RelativeTime at={joined_at} /> },
  { id: 'person', name: words.roster.person, cell: ({ user_id }) => <PersonLink id={user_id} /> },
];

const memberActs: Column<Member> = {
  id: 'acts',
  name: words.settings.actions,
  cell: ({ id, email, status }) => (
    <span class="row-actions">
      <ActButton act={status === 'active' ? 'archive-member' : 'reactivate-member'} id={id} who={email} />
      <ActButton act="remove-member" id={id} who={email} />
    </span>
  ),
};

const invitationColumns: readonly Column<Invitation>[] = [
  { id: 'who', name: words.roster.who, cell: (invitation) => <Name {...invitation} /> },
  { id: 'status', name: words.roster.status, cell: ({ status }) => words.roster.statuses[status] },
  {
    id: 'message',
    name: words.roster.message,
    cell: ({ email_status: { status, error } }) => (
      <>
        {words.roster.messages[status]}
        {error !== null && (
          <>
            <br />
            <span class="muted">{words.roster.mailProblems[error]}</span>
          </>
        )}
      </>
    ),
  },
  { id: 'sent', name: words.roster.invited, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  { id: 'ends', name: words.roster.ends, cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
  { id: 'person', name: words.roster.person, cell: ({ user_id }) => <PersonLink id={user_id} /> },
];

const invitationActs: Column<Invitation> = {
  id: 'acts',
  name: words.settings.actions,
  cell: ({ id, email, status }) =>
    status === 'pending' && (
      <span class="row-actions">
        <ActButton act="resend-invitation" id={id} who={email ?? id} />
        <ActButton act="revoke-invitation" id={id} who={email ?? id} />
      </span>
    ),
};

const ActButton = ({ act, id, who }: { act: keyof typeof words.roster.acts; id: string; who: string }) => (
  <button
    type="button"
    class="link-button"
    aria-label={words.roster.acts[act].label(who)}
    onClick={() => openDialog(act, id)}
  >
    {words.roster.acts[act].name}
  </button>
);
