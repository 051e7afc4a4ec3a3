// A date in the life of a sandbox user as its ring and its phone upload it: the same for the same user, persona, zone and date, always.
import { addDays, todayIn } from '../domain/time/local-day.ts';
import type { SandboxPersona } from '../model/sandbox.ts';
import type { UploadBody } from '../model/upload.ts';
import { quartersOf } from './activity.ts';
import { planDay } from './day-plan.ts';
import { personFor } from './persona.ts';
import { phoneRecords } from './phone.ts';
import type { DeviceRecords } from './records.ts';
import { ringRecords } from './ring.ts';
import { datesLived, windowOf, zoneOn } from './whereabouts.ts';

export const sandboxDevices = {
  ring: { name: 'Ring', model: 'Oura Ring (sandbox)', type: 'ring' },
  phone: { name: 'Phone', model: 'iPhone (sandbox)', type: 'phone' },
} as const;

export interface SandboxLife {
  userId: string;
  persona: SandboxPersona;
  /** Home; null is UTC. */
  timezone: string | null;
}

export interface SandboxUploads {
  ring: UploadBody;
  phone: UploadBody;
}

/** What one device uploads, with its records known by their kind. */
type DeviceUpload = Pick<UploadBody, 'time_zone' | 'device'> & DeviceRecords;

/** Only what is over by `untilMs`; the whole date by default. */
export function sandboxDay(life: SandboxLife & { date: string; untilMs?: number | undefined }): {
  ring: DeviceUpload;
  phone: DeviceUpload;
} {
  const person = personFor(life.userId, life.persona, life.timezone ?? 'UTC');
  const plan = planDay(person, life.date);
  const quarters = quartersOf(person, plan);
  const time_zone = zoneOn(person, life.date);
  const untilMs = life.untilMs ?? Number.POSITIVE_INFINITY;
  return {
    ring: { time_zone, device: sandboxDevices.ring, ...ringRecords(person, plan, quarters, untilMs) },
    phone: { time_zone, device: sandboxDevices.phone, ...phoneRecords(person, plan, quarters, untilMs) },
  };
}

const wholeDays = 7;

/** The dates with anything new since then: at most the seven that are over and the one that has begun; all of them when there was nothing before. */
export function sandboxDates(
  { userId, persona, timezone }: SandboxLife,
  sinceMs: number | null,
  nowMs: number,
): string[] {
  const person = personFor(userId, persona, timezone ?? 'UTC');
  const first = windowOf(person, addDays(todayIn(timezone, nowMs), -wholeDays)).startMs;
  return datesLived(person, Math.max(first, sinceMs ?? first), nowMs);
}

/** Several dates in one upload of each device. */
export function sandboxDays(life: SandboxLife & { dates: readonly string[]; untilMs: number }): SandboxUploads {
  const days = life.dates.map((date) => sandboxDay({ ...life, date }));
  const together = (device: 'ring' | 'phone'): UploadBody => ({
    time_zone: life.timezone ?? 'UTC',
    device: sandboxDevices[device],
    samples: days.flatMap((day) => day[device].samples),
    daily: days.flatMap((day) => day[device].daily),
    sleep: days.flatMap((day) => day[device].sleep),
    workouts: days.flatMap((day) => day[device].workouts),
  });
  return { ring: together('ring'), phone: together('phone') };
}
