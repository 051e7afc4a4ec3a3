// The participants of the races: devices, their measurements, and what callers do.

import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import type { RacedUser, RecordLists, TestDevice } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';

export const watch: TestDevice = { provider: 'apple_health', name: 'Watch', model: 'W1', type: 'wrist' };
export const phone: TestDevice = { provider: 'samsung_health', name: 'Phone', model: 'P1', type: 'phone' };

export const stepsUpload = (start: string, value: number, more: object = {}): RecordLists => ({
  samples: [{ metric: 'steps', start, value, unit: 'count', ...more }],
});

type Call = NonNullable<Scenario['call']>;
export const moveTo =
  (timezone: string): Call =>
  async ({ id, caller }, deps) =>
    void (await updateUser(deps, caller, id, { timezone }));
export const disconnect =
  (device: TestDevice): Call =>
  async (user, deps) =>
    disconnectDevice(deps, user.caller, user.id, await user.deviceId(device));
export const uploadFrom =
  (device: TestDevice, records: RecordLists): Call =>
  (user, deps) =>
    user.upload(device, records, deps);
export const useMaxMethod: Call = async ({ id, caller }, deps) =>
  void (await patchConfiguration(deps, caller, id, { metrics: { steps: { method: 'max' } } }));

/** Processes each upload before the next arrives. */
export const uploadSerially = async (user: RacedUser, ...uploads: [TestDevice, RecordLists][]): Promise<void> => {
  for (const [device, records] of uploads) {
    await user.upload(device, records);
    await user.settle();
  }
};
export const uploadWithoutProcessing = async (
  user: RacedUser,
  ...uploads: [TestDevice, RecordLists][]
): Promise<void> => {
  for (const [device, records] of uploads) await user.upload(device, records);
};

export const inUtc = {
  startsIn: 'UTC',
  endsIn: ['UTC'],
  dates: ['2026-03-09', '2026-03-10', '2026-03-11'],
  metrics: ['steps'],
} as const;
export const [tokyo, losAngeles] = ['Asia/Tokyo', 'America/Los_Angeles'];
export const inTokyo = { ...inUtc, startsIn: tokyo, endsIn: [tokyo] };

export const eveningSteps = stepsUpload('2026-03-10T20:00:00Z', 1);
export const lateSteps = stepsUpload('2026-03-10T23:30:00Z', 20);
export const nextMorningSteps = stepsUpload('2026-03-11T03:00:00Z', 300);
export const lateStepsInUtc = stepsUpload('2026-03-10T23:30:00Z', 20, { utc_offset: '+00:00' });
export const lateStepsInTokyo = stepsUpload('2026-03-10T23:30:00Z', 20, { utc_offset: '+09:00' });

const sleepSession = { start: '2026-03-10T15:00:00Z', end: '2026-03-10T23:30:00Z', asleep_minutes: 400 };
const walkSession = {
  type: 'walking',
  start: '2026-03-10T22:00:00Z',
  end: '2026-03-10T22:30:00Z',
  heart_rate: [{ timestamp: '2026-03-10T22:10:00Z', bpm: 100 }],
};
export const sessions = { sleep: [sleepSession], workouts: [walkSession] };
export const nightInUtc = { sleep: [{ ...sleepSession, utc_offset: '+00:00' }] };
export const nightInTokyo = { sleep: [{ ...sleepSession, utc_offset: '+09:00' }] };
/** Each night ends on the next day in Tokyo. */
export const threeNights = {
  sleep: ['08', '09', '10'].map((day) => ({
    start: `2026-03-${day}T15:00:00Z`,
    end: `2026-03-${day}T23:30:00Z`,
    asleep_minutes: 400 + Number(day),
  })),
};
export const nap = { sleep: [{ start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z', asleep_minutes: 50 }] };

const stage = (metric: string, start: string, end: string): object => ({ metric, start, end, value: 30, unit: 'min' });
export const stages = {
  samples: [
    stage('deep_sleep', '2026-03-10T22:30:00Z', '2026-03-10T23:00:00Z'),
    stage('rem_sleep', '2026-03-11T01:00:00Z', '2026-03-11T01:30:00Z'),
  ],
};
