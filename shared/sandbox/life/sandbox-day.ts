// A date in the life of a sandbox user as its devices upload it: the same for the same user, persona, zone and date, always.

import type { SandboxDevice, SandboxPersona } from '../../catalog/sandbox.ts';
import { addDays, todayIn } from '../../platform/time/local-day.ts';
import type { UploadBody } from '../../providers/phone/upload.ts';
import { quartersOf } from './activity.ts';
import { planDay } from './day-plan.ts';
import { sandboxDevices } from './devices.ts';
import { usualPastDays } from './habits.ts';
import { personFor } from './persona.ts';
import { phoneRecords } from './phone.ts';
import { type DeviceRecords, nothing } from './records.ts';
import { ringRecords } from './ring.ts';
import { wearsWatch } from './story.ts';
import { watchRecords } from './watch.ts';
import { datesLived, windowOf, zoneOn } from './whereabouts.ts';

export interface SandboxLife {
  userId: string;
  persona: SandboxPersona;
  /** Home; null is UTC. */
  timezone: string | null;
}

export type SandboxUploads = Record<SandboxDevice, UploadBody>;

/** What one device uploads, with its records known by their kind. */
type DeviceUpload = Pick<UploadBody, 'time_zone' | 'device'> & DeviceRecords;

/** Only what is over by `untilMs`; the whole date by default. */
export function sandboxDay(
  life: SandboxLife & { date: string; untilMs?: number | undefined },
): Record<SandboxDevice, DeviceUpload> {
  const person = personFor(life.userId, life.persona, life.timezone ?? 'UTC');
  const plan = planDay(person, life.date);
  const quarters = quartersOf(person, plan);
  const time_zone = zoneOn(person, life.date);
  const untilMs = life.untilMs ?? Number.POSITIVE_INFINITY;
  return {
    ring: { time_zone, device: sandboxDevices.ring, ...ringRecords(person, plan, quarters, untilMs) },
    phone: { time_zone, device: sandboxDevices.phone, ...phoneRecords(person, plan, quarters, untilMs) },
    watch: {
      time_zone,
      device: sandboxDevices.watch,
      ...(wearsWatch(person, life.date) ? watchRecords(person, life.date, quarters, untilMs) : nothing),
    },
  };
}

/** The dates with anything new since then, at most a week and the one that has begun; the persona's whole past when there was nothing before. */
export function sandboxDates(
  { userId, persona, timezone }: SandboxLife,
  sinceMs: number | null,
  nowMs: number,
): string[] {
  const person = personFor(userId, persona, timezone ?? 'UTC');
  const wholeDays = sinceMs === null ? person.habits.pastDays : usualPastDays;
  const first = windowOf(person, addDays(todayIn(timezone, nowMs), -wholeDays)).startMs;
  return datesLived(person, Math.max(first, sinceMs ?? first), nowMs);
}

/** Several dates in one upload of each device. */
export function sandboxDays(life: SandboxLife & { dates: readonly string[]; untilMs: number }): SandboxUploads {
  const days = life.dates.map((date) => sandboxDay({ ...life, date }));
  const together = (device: SandboxDevice): UploadBody => ({
    time_zone: life.timezone ?? 'UTC',
    device: sandboxDevices[device],
    samples: days.flatMap((day) => day[device].samples),
    daily: days.flatMap((day) => day[device].daily),
    sleep: days.flatMap((day) => day[device].sleep),
    workouts: days.flatMap((day) => day[device].workouts),
  });
  return { ring: together('ring'), phone: together('phone'), watch: together('watch') };
}
