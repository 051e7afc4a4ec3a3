// Brings a sandbox user its data, the way real data come: its past when it is new, then what has happened since, every hour.
import type { Deps } from '../domain/deps.ts';
import { type DeviceDescription, findOrCreateDevice } from '../domain/devices/devices.ts';
import { acceptRecords } from '../domain/ingest/accept-records.ts';
import { activeDevices, subjectOf } from '../domain/users/subject.ts';
import type { SandboxDevice, SandboxPersona } from '../model/sandbox.ts';
import { MobileScope } from '../model/token.ts';
import { countOf, rawUpload } from '../providers/sdk/format.ts';
import { type SeedRow, seedRows } from '../store/seeds.ts';
import { devicesOf, sandboxDates, sandboxDays, sandboxDevices } from './sandbox-day.ts';

const feedEveryMs = 3_600_000;

const descriptions: Readonly<Record<SandboxDevice, DeviceDescription>> = {
  ring: describe('oura', 'cloud', sandboxDevices.ring),
  phone: describe('apple_health', 'sdk', sandboxDevices.phone),
  watch: describe('garmin', 'cloud', sandboxDevices.watch),
};

/** A message for a user that is not due, or is gone, does nothing. */
export async function feedSandbox(deps: Deps, userId: string): Promise<void> {
  const seed = await seedRows(deps.store).of(userId);
  if (!seed || seed.nextMs === null || seed.nextMs > deps.clock.now()) return;
  const devices = seed.devices ?? (await makeDevices(deps, userId, seed.persona));
  const subject = await subjectOf(deps, userId);
  if (!devices || !subject) return;

  const active = activeDevices(subject.devices);
  const reporting = devicesOf(seed.persona).flatMap((which) => {
    const device = active.find(({ id }) => id === devices[which]);
    return device ? [{ which, device }] : [];
  });
  if (reporting.length === 0) {
    await seedRows(deps.store).end(userId, { ...seed, devices });
    return;
  }
  const now = deps.clock.now();
  const life = { userId, persona: seed.persona, timezone: seed.zone };
  const uploads = sandboxDays({ ...life, dates: sandboxDates(life, seed.fedMs, now), untilMs: now });
  const parcels = reporting
    .filter(({ which }) => countOf(uploads[which]) > 0)
    .map(({ which, device }) => ({ device, raw: rawUpload(uploads[which]), scopes: MobileScope.options }));
  await acceptRecords(deps, userId, now, parcels);
  await seedRows(deps.store).fed(userId, { ...seed, devices, fedMs: now, nextMs: now + feedEveryMs });
}

/** Undefined when the user is gone. */
async function makeDevices(
  deps: Deps,
  userId: string,
  persona: SandboxPersona,
): Promise<SeedRow['devices'] | undefined> {
  const ids: NonNullable<SeedRow['devices']> = {};
  for (const which of devicesOf(persona)) {
    const made = await findOrCreateDevice(deps, userId, descriptions[which]);
    if (!made) return undefined;
    ids[which] = made.device.id;
  }
  return ids;
}

function describe(
  provider: DeviceDescription['provider'],
  connection: DeviceDescription['connection'],
  { name, model, type }: (typeof sandboxDevices)[keyof typeof sandboxDevices],
): DeviceDescription {
  return { provider, connection, deviceType: type, model, name };
}
