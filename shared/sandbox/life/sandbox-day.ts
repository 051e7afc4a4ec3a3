// A date of a sandbox user as its devices upload it. It is always the same for the same user or
// seed, persona, zone and date.

import { defaultSandboxDays, type SandboxDevice } from '../../catalog/sandbox.ts';
import { addDays, todayIn } from '../../platform/time/local-day.ts';
import type { UploadBody } from '../../providers/phone/upload.ts';
import { simulateActivity } from './activity.ts';
import { planDay } from './day-plan.ts';
import { type DeviceRecords, emptyRecords } from './device-records.ts';
import { sandboxDevices } from './devices.ts';
import { habitsByPersona } from './habits.ts';
import { dateWindow, listDatesBetween, zoneOn } from './location.ts';
import { buildPhoneRecords } from './phone-records.ts';
import { buildRingRecords } from './ring-records.ts';
import { wearsWatch } from './scenario.ts';
import { createSimulatedUser, type SandboxProfile } from './simulated-user.ts';
import { buildWatchRecords } from './watch-records.ts';

/** How many whole days before the day on which the user is created have data. */
export function countPastDays({
  persona,
  days = defaultSandboxDays,
}: Pick<SandboxProfile, 'persona' | 'days'>): number {
  const { pastDays } = habitsByPersona[persona];
  return pastDays < defaultSandboxDays ? pastDays : Math.max(pastDays, days);
}

export type SandboxUploads = Record<SandboxDevice, UploadBody>;

/** What one device uploads, with typed records. */
type DeviceUpload = Pick<UploadBody, 'time_zone' | 'device'> & DeviceRecords;

/** Includes only what is over by `untilMs`; by default the whole date. */
export function buildSandboxDay(
  profile: SandboxProfile & { date: string; untilMs?: number | undefined },
): Record<SandboxDevice, DeviceUpload> {
  const user = createSimulatedUser(profile);
  const plan = planDay(user, profile.date);
  const quarters = simulateActivity(user, plan);
  const time_zone = zoneOn(user, profile.date);
  const untilMs = profile.untilMs ?? Number.POSITIVE_INFINITY;
  return {
    ring: { time_zone, device: sandboxDevices.ring, ...buildRingRecords(user, plan, quarters, untilMs) },
    phone: { time_zone, device: sandboxDevices.phone, ...buildPhoneRecords(user, plan, quarters, untilMs) },
    watch: {
      time_zone,
      device: sandboxDevices.watch,
      ...(wearsWatch(user, profile.date) ? buildWatchRecords(user, profile.date, quarters, untilMs) : emptyRecords),
    },
  };
}

/**
 * The dates with new data since then: at most a week and the current date, or the user's whole past
 * if nothing was fed before.
 */
export function listSandboxDates(profile: SandboxProfile, sinceMs: number | null, nowMs: number): string[] {
  const user = createSimulatedUser(profile);
  const pastDays = sinceMs === null ? countPastDays(profile) : defaultSandboxDays;
  const first = dateWindow(user, addDays(todayIn(profile.timezone, nowMs), -pastDays)).startMs;
  return listDatesBetween(user, Math.max(first, sinceMs ?? first), nowMs);
}

/** Merges several dates into one upload per device. */
export function buildSandboxUploads(
  profile: SandboxProfile & { dates: readonly string[]; untilMs: number },
): SandboxUploads {
  const days = profile.dates.map((date) => buildSandboxDay({ ...profile, date }));
  const mergeDays = (device: SandboxDevice): UploadBody => ({
    time_zone: profile.timezone ?? 'UTC',
    device: sandboxDevices[device],
    samples: days.flatMap((day) => day[device].samples),
    daily: days.flatMap((day) => day[device].daily),
    sleep: days.flatMap((day) => day[device].sleep),
    workouts: days.flatMap((day) => day[device].workouts),
  });
  return { ring: mergeDays('ring'), phone: mergeDays('phone'), watch: mergeDays('watch') };
}
