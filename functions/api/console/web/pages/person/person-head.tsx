// Who the person is, and what can be done for them.
import { useSignal } from '@preact/signals';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { CopyButton, Id } from '../../parts/copy.tsx';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { FailureNote } from '../../parts/panel.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { formatClock, formatExactTime, nameOfPerson } from '../../state/format.ts';
import { now } from '../../state/now.ts';
import { isPermitted } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

export const PersonFacts = ({ context: { person } }: { context: PersonContext }) => (
  <span class="person-facts">
    <Id value={person.id} />
    {person.timezone === null ? (
      <span>{words.person.noZone}</span>
    ) : (
      <span>
        {person.timezone} · {words.person.clockThere(formatClock(new Date(now.value), person.timezone))}
      </span>
    )}
    <span>
      {words.person.created} <RelativeTime at={person.created_at} />
    </span>
  </span>
);

export function PersonActions({ context, reload }: { context: PersonContext; reload: () => Promise<void> }) {
  const { act } = openedDialog.value;
  const canErase = isPermitted('data');
  const canConnect = isPermitted('credentials');
  return (
    <>
      {canConnect && (
        <button type="button" class="primary-button" onClick={() => openDialog('connect')}>
          {words.person.connect.button}
        </button>
      )}
      {canErase && (
        <button type="button" class="button" onClick={() => openDialog('erase')}>
          {words.person.erase.button}
        </button>
      )}
      {canConnect && act === 'connect' && (
        <ConnectDialog
          context={context}
          onClose={() => {
            closeDialog();
            void reload();
          }}
        />
      )}
      {!canConnect && <p class="muted">{words.person.readOnly}</p>}
      {canErase && act === 'erase' && <EraseDialog context={context} reload={reload} />}
    </>
  );
}

function ConnectDialog({ context: { person }, onClose }: { context: PersonContext; onClose: () => void }) {
  const link = useSignal<Schemas['ConnectLink'] | undefined>(undefined);
  const { isActing, failure, run } = useAction();
  const create = (): Promise<void> =>
    run(async () => {
      link.value = await unwrap(
        v1.POST('/v1/users/{id}/connect-links', { params: { path: { id: person.id } }, body: {} }),
      );
    });
  return (
    <Dialog title={words.person.connect.title} onClose={onClose}>
      <div class="dialog-text">
        <p>{words.person.connect.text}</p>
        {link.value && (
          <>
            <p class="copied-link">
              <code>{link.value.url}</code> <CopyButton text={link.value.url} />
            </p>
            <p class="muted">{words.person.connect.until(formatExactTime(new Date(link.value.expires_at)))}</p>
          </>
        )}
        <FailureNote failure={failure.value} />
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.person.close}
        </button>
        {!link.value && (
          <button type="button" class="primary-button" disabled={isActing.value} onClick={() => void create()}>
            {words.person.connect.create}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function EraseDialog({ context: { person }, reload }: { context: PersonContext; reload: () => Promise<void> }) {
  const name = nameOfPerson(person);
  return (
    <ConfirmDialog
      title={words.person.erase.title(name)}
      name={name}
      action={words.person.erase.action}
      isDangerous
      effectOf="user.deleted"
      onClose={closeDialog}
      act={async () => {
        await unwrap(v1.DELETE('/v1/users/{id}', { params: { path: { id: person.id } } }));
        closeDialog();
        // The page becomes the receipt.
        await reload();
      }}
    />
  );
}
