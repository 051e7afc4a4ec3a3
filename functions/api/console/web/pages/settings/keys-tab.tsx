// The API keys of both environments. There is one active key each: a new one replaces it.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ShownEnvironment } from '../../address/address.ts';
import { type ConsoleSchemas, consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog, Dialog, Effect } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { ActionForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Secret } from '../../parts/secret.tsx';
import { DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { formatExactTime } from '../../state/format.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { role } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import { CancelButton, DoneButton } from './dialog-buttons.tsx';

type Key = ConsoleSchemas['ConsoleKey'];
type NewKey = ConsoleSchemas['IssuedKey'];
type KeyList = { data: Key[] };

export function KeysTab() {
  const keys = useResource<KeyList>('keys', () => unwrap(consoleClient.GET('/console/api/keys')), {
    isLive: true,
    pauseSeconds: 30,
  });
  const shown: readonly ShownEnvironment[] = role.value === 'owner' ? ['live', 'sandbox'] : ['sandbox'];
  return (
    <>
      {role.value !== 'owner' && <p class="muted">{words.settings.keys.sandboxOnly}</p>}
      <Panel of={keys} minHeight="24rem">
        {({ data }) => shown.map((env) => <EnvironmentKeys key={env} env={env} keys={data} list={keys} />)}
      </Panel>
    </>
  );
}

interface EnvironmentKeysProps {
  env: ShownEnvironment;
  keys: readonly Key[];
  list: Resource<KeyList>;
}

function EnvironmentKeys({ env, keys, list }: EnvironmentKeysProps) {
  const ownKeys = keys.filter(({ environment }) => environment === env);
  const current = ownKeys.find(({ status }) => status === 'active');
  const previous = ownKeys.find(({ status }) => status === 'ending');
  const ended = ownKeys.filter(({ status }) => status === 'revoked' || status === 'expired');
  const { act, target } = openedDialog.value;
  return (
    <section class="page-section stack">
      <h2>{words.settings.keys.heading[env]}</h2>
      {current ? <KeyFacts current={current} /> : <p class="empty">{words.settings.keys.none}</p>}
      {previous && (
        <p class="state state-waiting">
          {words.settings.keys.previous(previous.key)} <RelativeTime at={previous.ends_at} />
        </p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={() => openDialog('replace-key', env)}>
          {current ? words.settings.keys.replace : words.settings.keys.create}
        </button>
        {current && (
          <button type="button" class="button" onClick={() => openDialog('revoke-key', env)}>
            {words.settings.keys.revoke}
          </button>
        )}
      </div>
      {ended.length > 0 && <EndedKeys keys={ended} env={env} />}
      {act === 'replace-key' && target === env && (
        <ReplaceDialog env={env} current={current} previous={previous} list={list} />
      )}
      {act === 'revoke-key' && target === env && (
        <ConfirmDialog
          title={words.settings.keys.revokeTitle[env]}
          name={env}
          action={words.settings.keys.revoke}
          isDangerous
          effectOf="key.revoked"
          onClose={closeDialog}
          act={async () => {
            await unwrap(
              consoleClient.DELETE('/console/api/keys/{environment}', { params: { path: { environment: env } } }),
            );
            await list.reload();
            showToast(words.settings.keys.revoked[env]);
          }}
        >
          <LastUse current={current} />
        </ConfirmDialog>
      )}
    </section>
  );
}

const KeyFacts = ({ current }: { current: Key }) => (
  <dl class="facts">
    <dt>{words.settings.keys.key}</dt>
    <dd>
      <code>{current.key}</code>
    </dd>
    <dt>{words.settings.keys.created}</dt>
    <dd>
      <RelativeTime at={current.created_at} />
    </dd>
    <dt>{words.settings.keys.ends}</dt>
    <dd>
      <RelativeTime at={current.ends_at} />
    </dd>
    <dt>{words.settings.keys.lastUse}</dt>
    <dd>{current.last_used_at === null ? words.settings.keys.never : <RelativeTime at={current.last_used_at} />}</dd>
  </dl>
);

const EndedKeys = ({ keys, env }: { keys: readonly Key[]; env: ShownEnvironment }) => (
  <details>
    <summary>{words.settings.keys.ended(keys.length)}</summary>
    <DataTable
      caption={words.settings.keys.endedOf[env]}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { id: 'key', name: words.settings.keys.key, cell: ({ key }) => <code>{key}</code> },
        { id: 'status', name: words.settings.keys.status, cell: ({ status }) => words.settings.keys.statuses[status] },
        {
          id: 'created',
          name: words.settings.keys.created,
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        { id: 'ended', name: words.settings.keys.endedAt, cell: ({ ends_at }) => <RelativeTime at={ends_at} /> },
      ]}
    />
  </details>
);

const LastUse = ({ current }: { current: Key | undefined }) =>
  current ? (
    <p>
      {current.last_used_at === null ? (
        words.settings.keys.neverUsed
      ) : (
        <>
          {words.settings.keys.usedLast} <RelativeTime at={current.last_used_at} />.
        </>
      )}
    </p>
  ) : null;

const overlapHours = [24, 1, 168, 0] as const;

interface ReplaceDialogProps {
  env: ShownEnvironment;
  current: Key | undefined;
  previous: Key | undefined;
  list: Resource<KeyList>;
}

function ReplaceDialog({ env, current, previous, list }: ReplaceDialogProps) {
  const overlap = useSignal<number>(overlapHours[0]);
  const issued = useSignal<NewKey | undefined>(undefined);
  // The dialog stays as it began, although the list behind it has the new key by then.
  const replaced = useRef({ current, previous }).current;
  if (issued.value)
    return (
      <Dialog title={words.settings.keys.issuedTitle[env]} onClose={closeDialog}>
        <IssuedKey issued={issued.value} />
      </Dialog>
    );
  return (
    <Dialog
      title={replaced.current ? words.settings.keys.replaceTitle[env] : words.settings.keys.createTitle[env]}
      onClose={closeDialog}
    >
      <ActionForm
        action={replaced.current ? words.settings.keys.replace : words.settings.keys.create}
        act={async () => {
          const body = { environment: env, ...(overlap.value === 0 ? {} : { overlap_hours: overlap.value }) };
          issued.value = await unwrap(consoleClient.POST('/console/api/keys', { body }));
          void list.reload();
        }}
      >
        <div class="dialog-text">
          <Effect of="key.replaced" />
          <LastUse current={replaced.current} />
          {replaced.current && (
            <fieldset class="radio-list">
              <legend>{words.settings.keys.overlap}</legend>
              {overlapHours.map((hours) => (
                <label key={hours}>
                  <input
                    type="radio"
                    name="overlap"
                    checked={overlap.value === hours}
                    onChange={() => {
                      overlap.value = hours;
                    }}
                  />
                  <span>{words.settings.keys.overlaps[hours]}</span>
                </label>
              ))}
            </fieldset>
          )}
          {replaced.previous && <p>{words.settings.keys.previousEnds(replaced.previous.key)}</p>}
        </div>
      </ActionForm>
      <CancelButton />
    </Dialog>
  );
}

const IssuedKey = ({ issued }: { issued: NewKey }) => (
  <div class="dialog-text">
    <p>{words.settings.keys.saveNow}</p>
    <Secret text={issued.key} label={words.settings.keys.copyKey} />
    <p>{words.settings.keys.endsOn(formatExactTime(new Date(issued.expires_at)))}</p>
    <p>
      {issued.previous_key_ends_at === null
        ? words.settings.keys.previousEnded
        : words.settings.keys.previousWorksUntil(formatExactTime(new Date(issued.previous_key_ends_at)))}
    </p>
    <DoneButton name={words.settings.keys.saved} />
  </div>
);
