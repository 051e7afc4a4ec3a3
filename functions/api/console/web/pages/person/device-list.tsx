// The devices of a person and how their data arrives, in words.
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { DeviceSwatch } from '../../charts/patterns.tsx';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { FailureNote } from '../../parts/panel.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { formatClock, formatDayRange, formatPercent, nameOfDevice, nameOfProvider } from '../../state/format.ts';
import { now } from '../../state/now.ts';
import { isPermitted } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import type { PersonContext, PersonDevice } from './person-state.ts';
import { isSilent } from './staleness.ts';

interface DeviceListProps {
  context: PersonContext;
  reload: () => Promise<void>;
}

export const DeviceList = ({ context, reload }: DeviceListProps) =>
  context.devices.length === 0 ? (
    <p class="empty">{words.person.devices.none}</p>
  ) : (
    <ul class="devices" aria-label={words.person.devices.label}>
      {context.devices.map((device) => (
        <DeviceRow key={device.id} device={device} context={context} reload={reload} />
      ))}
    </ul>
  );

function DeviceRow({ device, context: { person, marks }, reload }: DeviceListProps & { device: PersonDevice }) {
  const { failure, isActing, run } = useAction();
  const name = nameOfDevice(device);
  const path = { user_id: person.id, device_id: device.id };
  const { act, target } = openedDialog.value;
  const sync = (): Promise<void> =>
    run(async () => {
      const { accepted, next_at } = await unwrap(
        v1.POST('/v1/users/{user_id}/devices/{device_id}/sync', { params: { path } }),
      );
      const clock = formatClock(new Date(next_at));
      showToast(accepted ? words.person.devices.syncing(name) : words.person.devices.syncedJustNow(clock));
      await reload();
    });
  return (
    <li>
      <div class="device-row">
        <span class="device-name">
          <DeviceSwatch mark={marks.get(device.id)} /> <strong>{name}</strong>
        </span>
        <span>
          <SyncState device={device} />
        </span>
        <span class="muted">
          {words.person.devices.types[device.type]} · {nameOfProvider(device.provider)}
        </span>
        <span class="actions">
          {device.status === 'active' && (
            <>
              {canSync(device) && (
                <button type="button" class="copy-button" disabled={isActing.value} onClick={() => void sync()}>
                  {words.person.devices.syncNow}
                  <span class="visually-hidden"> {name}</span>
                </button>
              )}
              {isPermitted('state') && (
                <button type="button" class="copy-button" onClick={() => openDialog('replay', device.id)}>
                  {words.person.devices.replay.button}
                  <span class="visually-hidden"> {name}</span>
                </button>
              )}
              {isPermitted('data') && (
                <button type="button" class="copy-button" onClick={() => openDialog('disconnect', device.id)}>
                  {words.person.devices.disconnect}
                  <span class="visually-hidden"> {name}</span>
                </button>
              )}
            </>
          )}
        </span>
      </div>
      {device.status === 'active' && !canSync(device) && <p class="muted small">{words.person.devices.openApp}</p>}
      <FailureNote failure={failure.value} />
      {device.status === 'active' && isPermitted('state') && act === 'replay' && target === device.id && (
        <ReplayDialog device={device} personId={person.id} />
      )}
      {device.status === 'active' && isPermitted('data') && act === 'disconnect' && target === device.id && (
        <ConfirmDialog
          title={words.person.devices.disconnectTitle(name)}
          action={words.person.devices.disconnect}
          isDangerous
          effectOf="device.disconnected"
          onClose={closeDialog}
          act={async () => {
            await unwrap(v1.DELETE('/v1/users/{user_id}/devices/{device_id}', { params: { path } }));
            showToast(words.person.devices.disconnected(name));
            await reload();
          }}
        />
      )}
    </li>
  );
}

/** What is stored is processed again here; a whole history is fetched by connecting again. */
function ReplayDialog({ device, personId }: { device: PersonDevice; personId: string }) {
  const texts = words.person.devices.replay;
  const { failure, isActing, run } = useAction();
  const replay = (): Promise<void> =>
    run(async () => {
      const path = { user_id: personId, device_id: device.id };
      const { accepted, uploads } = await unwrap(
        v1.POST('/v1/users/{user_id}/devices/{device_id}/replay', { params: { path } }),
      );
      showToast(accepted ? texts.begun(texts.uploads(uploads)) : texts.refused);
      closeDialog();
    });
  return (
    <Dialog title={texts.title(nameOfDevice(device))} onClose={closeDialog}>
      <div class="dialog-text">
        <p>{texts.stored}</p>
        <p class="muted">{texts.storedNote}</p>
        {canSync(device) && <p>{texts.history}</p>}
      </div>
      <FailureNote failure={failure.value} />
      <div class="actions">
        <button type="button" class="button" onClick={closeDialog}>
          {words.person.close}
        </button>
        {canSync(device) && (
          <button type="button" class="button" onClick={() => openDialog('connect')}>
            {texts.link}
          </button>
        )}
        <button type="button" class="primary-button" disabled={isActing.value} onClick={() => void replay()}>
          {texts.begin}
        </button>
      </div>
    </Dialog>
  );
}

/** Phones upload by themselves. There is no provider to request their data from. */
const canSync = ({ sync }: PersonDevice): boolean => sync !== null;

/** A mark, and the same in words: the mark alone would say nothing to many. */
function SyncState({ device: { status, sync, last_sync_at, error, type } }: { device: PersonDevice }) {
  const texts = words.person.devices;
  if (status === 'disconnected') return <>{texts.isDisconnected}</>;
  if (status === 'replaced') return <>{texts.isReplaced}</>;
  if (error !== null) return <span class="problem">✕ {texts.errors[error]}</span>;
  if (status === 'pending') return <>◌ {texts.pending}</>;
  if (sync?.state === 'backfilling')
    return (
      <>
        ◐ {texts.importing(formatDayRange(sync.from, sync.to))}{' '}
        <progress max={1} value={sync.done} aria-label={texts.imported} /> {formatPercent(sync.done)}
      </>
    );
  if (sync?.state === 'failed' || sync?.state === 'waiting')
    return (
      <>
        <span class="problem">
          {sync.state === 'failed' ? '✕' : '◌'} {texts.problems[sync.state]}
          {last_sync_at !== null && (
            <>
              {' '}
              {texts.lastSync} <RelativeTime at={last_sync_at} />
            </>
          )}
        </span>{' '}
        {sync.done < 1 && (
          <span class="muted">
            {texts.partlyImported(formatPercent(sync.done), formatDayRange(sync.from, sync.to))}
          </span>
        )}
      </>
    );
  if (last_sync_at === null) return <>○ {texts.never}</>;
  const isQuiet = isSilent({ type, last_sync_at }, now.value);
  return (
    <>
      {isQuiet ? '○' : '●'} {isQuiet ? texts.silent : texts.synced} <RelativeTime at={last_sync_at} />
    </>
  );
}
