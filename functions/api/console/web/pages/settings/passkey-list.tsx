// The passkeys of the colleague who is signed in.
import { consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { toCreatedCredential } from '../../api/passkey-credential.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { StatusMark } from '../../parts/status.tsx';
import { DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { useResource } from '../../state/resource.ts';
import { me } from '../../state/session.ts';
import { words } from '../../words/en.ts';

const canCreatePasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

export function PasskeyList() {
  const passkeys = useResource('passkeys', () => unwrap(consoleClient.GET('/console/api/passkeys')));
  const { failure, run } = useAction();
  const add = (): Promise<void> =>
    run(async () => {
      const options = await unwrap(consoleClient.POST('/console/api/passkeys/options', {}));
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      });
      if (!(credential instanceof PublicKeyCredential)) return;
      const body = { credential: toCreatedCredential(credential) };
      await unwrap(consoleClient.POST('/console/api/passkeys', { body }));
      await passkeys.reload();
      showToast(words.settings.passkeys.added);
    });
  // The browser says so when the person closes its dialog, or has this passkey already.
  const isCancelled = failure.value instanceof DOMException;
  const support = me.value?.passkeys;
  const { act, target } = openedDialog.value;
  return (
    <section class="page-section stack">
      <h2>{words.settings.passkeys.heading}</h2>
      <Panel
        of={passkeys}
        minHeight="6rem"
        isEmpty={({ data }) => data.length === 0}
        empty={words.settings.passkeys.empty}
      >
        {({ data }) => (
          <>
            <DataTable
              caption={words.settings.passkeys.heading}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'name',
                  name: words.settings.passkeys.name,
                  cell: ({ name, id }) => name ?? <code>{id}</code>,
                },
                {
                  id: 'usable',
                  name: words.settings.passkeys.usable,
                  cell: ({ is_usable, origin }) => (
                    <StatusMark tone={is_usable ? 'good' : 'idle'}>
                      {is_usable ? words.settings.passkeys.isUsable : words.settings.passkeys.isUnusable(origin)}
                    </StatusMark>
                  ),
                },
                {
                  id: 'created',
                  name: words.settings.passkeys.created,
                  cell: ({ created_at }) => <RelativeTime at={created_at} />,
                },
                {
                  id: 'used',
                  name: words.settings.passkeys.used,
                  cell: ({ last_used_at }) =>
                    last_used_at === null ? words.settings.keys.never : <RelativeTime at={last_used_at} />,
                },
                {
                  id: 'acts',
                  name: words.settings.actions,
                  cell: ({ id }) => (
                    <button type="button" class="link-button" onClick={() => openDialog('remove-passkey', id)}>
                      {words.settings.passkeys.remove}
                    </button>
                  ),
                },
              ]}
            />
            {data.some(({ is_usable }) => !is_usable) && <p class="muted">{words.settings.passkeys.unusableNote}</p>}
          </>
        )}
      </Panel>
      {support?.available === false ? (
        <p class="muted">{support.reason}</p>
      ) : canCreatePasskeys() ? (
        <button type="button" class="button" onClick={() => void add()}>
          {words.settings.passkeys.add}
        </button>
      ) : (
        <p class="muted">{words.settings.passkeys.unsupported}</p>
      )}
      <p role="status">{isCancelled && words.settings.passkeys.cancelled}</p>
      {!isCancelled && <FailureNote failure={failure.value} />}
      {act === 'remove-passkey' && (
        <ConfirmDialog
          title={words.settings.passkeys.remove}
          action={words.settings.passkeys.remove}
          isDangerous
          effectOf="passkey.removed"
          onClose={closeDialog}
          act={async () => {
            await unwrap(consoleClient.DELETE('/console/api/passkeys/{id}', { params: { path: { id: target } } }));
            await passkeys.reload();
            showToast(words.settings.passkeys.removed);
          }}
        >
          <p>{words.settings.passkeys.removeNote}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
