// Who signs in to the console. Owners manage everyone; everybody manages their own sign-in.

import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { type ConsoleSchemas, consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { Panel } from '../../parts/panel.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { useResource } from '../../state/resource.ts';
import { me, role } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import { ColleagueDialog, InviteDialog } from './colleague-dialogs.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { SessionList } from './session-list.tsx';

export function ColleaguesTab() {
  const isOwner = role.value === 'owner';
  const colleagues = useResource(isOwner ? 'colleagues' : undefined, () =>
    unwrap(consoleClient.GET('/console/api/colleagues')),
  );
  const { act, target } = openedDialog.value;
  const named = colleagues.data.value?.data.find(({ id }) => id === target);
  return (
    <>
      {isOwner && (
        <section class="page-section stack">
          <div class="section-head">
            <h2>{words.settings.colleagues.heading}</h2>
            <button type="button" class="primary-button" onClick={() => openDialog('invite-colleague')}>
              {words.settings.colleagues.invite}
            </button>
          </div>
          <Panel of={colleagues} minHeight="12rem">
            {({ data }) => (
              <DataTable
                caption={words.settings.colleagues.heading}
                columns={colleagueColumns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
          </Panel>
          {act === 'invite-colleague' && <InviteDialog list={colleagues} />}
          {named && <ColleagueDialog act={act} colleague={named} list={colleagues} />}
        </section>
      )}
      <SessionList colleagues={colleagues.data.value?.data ?? []} />
      <PasskeyList />
    </>
  );
}

const colleagueColumns: readonly Column<ConsoleSchemas['Colleague']>[] = [
  {
    id: 'who',
    name: words.settings.colleagues.who,
    cell: ({ id, email, name }) => (
      <>
        {toDisplayLine(name ?? email)}
        {id === me.value?.colleague.id && <span class="muted"> {words.settings.colleagues.you}</span>}
        {name !== null && (
          <>
            <br />
            <span class="muted">{toDisplayLine(email)}</span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'role',
    name: words.settings.colleagues.role,
    cell: ({ role: each }) => words.settings.colleagues.roles[each].name,
  },
  {
    id: 'joined',
    name: words.settings.colleagues.joined,
    cell: ({ joined_at, created_at }) =>
      joined_at === null ? (
        <>
          {words.settings.colleagues.invited} <RelativeTime at={created_at} />
        </>
      ) : (
        <RelativeTime at={joined_at} />
      ),
  },
  { id: 'passkeys', name: words.settings.colleagues.passkeys, isNumber: true, cell: ({ passkeys }) => passkeys },
  {
    id: 'acts',
    name: words.settings.actions,
    cell: ({ id, email }) => (
      <span class="row-actions">
        {(['change-role', 'new-link', 'remove-colleague'] as const).map((act) => (
          <button
            key={act}
            type="button"
            class="link-button"
            aria-label={words.settings.colleagues.acts[act].label(email)}
            onClick={() => openDialog(act, id)}
          >
            {words.settings.colleagues.acts[act].name}
          </button>
        ))}
      </span>
    ),
  },
];
