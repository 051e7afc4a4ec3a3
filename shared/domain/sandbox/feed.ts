// Brings a sandbox user its data, the way real data come: a week when it is new, then what has happened since, every hour.
import { MobileScope } from '../../model/token.ts';
import type { UploadBody } from '../../model/upload.ts';
import type { SeedRow } from '../../store/seeds.ts';
import type { Deps } from '../deps.ts';
import { type DeviceDescription, findOrCreateDevice } from '../devices.ts';
import { acceptRecords } from '../ingest/accept-records.ts';
import { activeDevices, subjectOf } from '../subject.ts';
import { wake } from '../wake.ts';
import { sandboxDates, sandboxDays, sandboxDevices } from './sandbox-day.ts';

const feedEveryMs = 3_600_000;
const mostUsersARun = 1_000;

const descriptions = {
  ring: describe('oura', 'cloud', sandboxDevices.ring),
  phone: describe('apple_health', 'sdk', sandboxDevices.phone),
};

/** A message for a user that is not due, or is gone, does nothing. */
export async function feedSandbox(deps: Deps, userId: string): Promise<void> {
  const seed = await deps.store.seeds.of(userId);
  if (!seed || seed.nextMs === null || seed.nextMs > deps.clock.now()) return;
  const devices = seed.devices ?? (await makeDevices(deps, userId));
  const subject = await subjectOf(deps, userId);
  if (!devices || !subject) return;

  const active = new Set(activeDevices(subject.devices).map(({ id }) => id));
  if (!active.has(devices.ring) && !active.has(devices.phone)) {
    await deps.store.seeds.end(userId, { ...seed, devices });
    return;
  }
  const now = deps.clock.now();
  const life = { userId, persona: seed.persona, timezone: seed.zone };
  const uploads = sandboxDays({ ...life, dates: sandboxDates(life, seed.fedMs, now), untilMs: now });
  const parcels = (['ring', 'phone'] as const)
    .map((which) => ({ deviceId: devices[which], records: uploads[which], scopes: MobileScope.options }))
    .filter(({ deviceId, records }) => active.has(deviceId) && !isEmpty(records));
  await acceptRecords(deps, userId, now, parcels);
  await deps.store.seeds.fed(userId, { ...seed, devices, fedMs: now, nextMs: now + feedEveryMs });
}

/** Undefined when the user is gone. */
async function makeDevices(deps: Deps, userId: string): Promise<SeedRow['devices'] | undefined> {
  const ring = await findOrCreateDevice(deps, userId, descriptions.ring);
  const phone = await findOrCreateDevice(deps, userId, descriptions.phone);
  return ring && phone && { ring: ring.id, phone: phone.id };
}

function describe(
  provider: DeviceDescription['provider'],
  connection: DeviceDescription['connection'],
  { name, model, type }: (typeof sandboxDevices)[keyof typeof sandboxDevices],
): DeviceDescription {
  return { provider, connection, deviceType: type, model, name };
}

const isEmpty = ({ samples, daily, sleep, workouts }: UploadBody): boolean =>
  samples.length + daily.length + sleep.length + workouts.length === 0;

/** Finds new sandbox users whose message was lost. */
export async function wakeSeeds(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('seed')) await wake(deps, 'seed', { user_id: userId });
}

/** Those left over when there are too many are the first of the next run. */
export async function wakeDueSandboxes(deps: Deps): Promise<void> {
  const due = await deps.store.seeds.dueAt(deps.clock.now(), mostUsersARun);
  if (due.length > 0)
    await deps.queue.sendAll(
      'seed',
      due.map((user_id) => ({ user_id })),
    );
}
