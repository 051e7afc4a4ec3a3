// The browsers in which colleagues are signed in. Owners see everyone's, others their own.
import { type ConsoleSchemas, consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { useResource } from '../../state/resource.ts';
import { role, signOut } from '../../state/session.ts';
import { words } from '../../words/en.ts';

type ConsoleSession = ConsoleSchemas['ConsoleSession'];

export function SessionList({ colleagues = [] }: { colleagues?: readonly { id: string; email: string }[] }) {
  const sessions = useResource('sessions', () => unwrap(consoleClient.GET('/console/api/sessions')));
  const { failure, run } = useAction();
  const emails = new Map(colleagues.map(({ id, email }) => [id, email]));
  const end = ({ id, is_current }: ConsoleSession): Promise<void> =>
    run(async () => {
      if (is_current) return await signOut();
      await unwrap(consoleClient.DELETE('/console/api/sessions/{id}', { params: { path: { id } } }));
      await sessions.reload();
      showToast(words.settings.sessions.ended);
    });
  const who: Column<ConsoleSession> = {
    id: 'who',
    name: words.settings.colleagues.who,
    cell: ({ colleague_id }) => emails.get(colleague_id) ?? <code>{colleague_id}</code>,
  };
  const columns: readonly Column<ConsoleSession>[] = [
    ...(role.value === 'owner' ? [who] : []),
    {
      id: 'method',
      name: words.settings.sessions.method,
      cell: ({ method }) => words.settings.sessions.methods[method],
    },
    { id: 'began', name: words.settings.sessions.began, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    { id: 'used', name: words.settings.sessions.used, cell: ({ last_used_at }) => <RelativeTime at={last_used_at} /> },
    { id: 'ends', name: words.settings.sessions.ends, cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
    {
      id: 'acts',
      name: words.settings.actions,
      cell: (session) => (
        <button type="button" class="link-button" onClick={() => void end(session)}>
          {session.is_current ? words.settings.sessions.signOut : words.settings.sessions.end}
        </button>
      ),
    },
  ];
  return (
    <section class="page-section stack">
      <h2>{words.settings.sessions.heading}</h2>
      <p class="muted">{words.settings.sessions.note}</p>
      <Panel of={sessions} minHeight="8rem">
        {({ data }) => (
          <DataTable caption={words.settings.sessions.heading} columns={columns} rows={data} keyOf={({ id }) => id} />
        )}
      </Panel>
      <FailureNote failure={failure.value} />
    </section>
  );
}
