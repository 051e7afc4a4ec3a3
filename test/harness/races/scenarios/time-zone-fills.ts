// A profile without a time zone receives one while the writer runs.

import { acceptRecords } from '../../../../shared/pipeline/accept-records.ts';
import type { RawBatch } from '../../../../shared/providers/kit/normalizer.ts';
import { toRawPages } from '../../../../shared/providers/kit/provider-pages.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { findOrCreateDevice } from '../../../../shared/users/devices.ts';
import type { RacedUser } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import {
  eveningSteps,
  inUtc,
  lateSteps,
  losAngeles,
  moveTo,
  phone,
  tokyo,
  uploadFrom,
  uploadSerially,
  watch,
} from './scenario-fixtures.ts';

const withoutTimeZone = { ...inUtc, startsIn: null, metrics: ['steps'] } as const;

const page = (resource: string, body: object) => ({ resource, text: JSON.stringify({ status: 0, body }) });
/** Ends on the evening of the 10th, which is the 11th in Tokyo. */
const night = page('sleep', { series: [{ id: 1, startdate: 1773154800, enddate: 1773185400, data: {} }] });
const pageNamingTokyo = page('activity', { activities: [{ date: '2026-03-10', timezone: tokyo, steps: 4000 }] });

const withingsBatch = (...pages: (typeof night)[]): RawBatch =>
  toRawPages({ source: 'withings', format: 1, timeZone: null }, { requested: null, pages }, '2026-03-11');

/** Accepts data from a scale, which then waits to be processed. */
async function acceptFromWithings(user: RacedUser, raw: RawBatch, deps: Deps = user.deps): Promise<void> {
  const scale = { provider: 'withings', connection: 'cloud', deviceType: 'scale', model: 'S1', name: null } as const;
  const found = await findOrCreateDevice(deps, user.id, scale);
  if (!found) throw new Error('there is no user');
  await acceptRecords(deps, user.id, deps.clock.now(), [{ device: found.device, raw, scopes: [] }]);
}

const stepsInTokyo = { ...lateSteps, time_zone: tokyo };
const stepsInLosAngeles = { ...eveningSteps, time_zone: losAngeles };

export const timeZoneFillScenarios: readonly Scenario[] = [
  {
    ...withoutTimeZone,
    name: 'two phones report a time zone for the same watch',
    endsIn: [tokyo, losAngeles],
    before: async () => {},
    concurrentCall: uploadFrom(watch, stepsInTokyo),
    call: uploadFrom(watch, stepsInLosAngeles),
    replaySerially: (user) => uploadSerially(user, [watch, stepsInTokyo], [watch, stepsInLosAngeles]),
  },
  {
    ...withoutTimeZone,
    name: 'a phone reports a time zone while the user moves',
    endsIn: [losAngeles],
    before: async () => {},
    concurrentCall: uploadFrom(watch, stepsInTokyo),
    call: moveTo(losAngeles),
    replaySerially: (user) => uploadSerially(user, [watch, stepsInTokyo]),
  },
  {
    ...withoutTimeZone,
    name: 'a phone reports a time zone while data without one is processed',
    endsIn: [tokyo],
    before: (user) => acceptFromWithings(user, withingsBatch(night)),
    call: uploadFrom(phone, { ...lateSteps, time_zone: tokyo }),
    async replaySerially(user) {
      await acceptFromWithings(user, withingsBatch(night));
      await user.settle();
      await uploadSerially(user, [phone, { ...lateSteps, time_zone: tokyo }]);
    },
  },
  {
    ...withoutTimeZone,
    name: 'a caller sets the time zone while a provider reports one in its first data',
    endsIn: [tokyo, losAngeles],
    before: (user) => acceptFromWithings(user, withingsBatch(night, pageNamingTokyo)),
    call: moveTo(losAngeles),
    replaySerially: (user) => acceptFromWithings(user, withingsBatch(night, pageNamingTokyo)),
  },
  {
    ...withoutTimeZone,
    name: 'a provider reports a time zone after it sent data without one',
    endsIn: [tokyo],
    before: (user) => acceptFromWithings(user, withingsBatch(night)),
    call: (user, deps) => acceptFromWithings(user, withingsBatch(pageNamingTokyo), deps),
    async replaySerially(user) {
      await acceptFromWithings(user, withingsBatch(night));
      await acceptFromWithings(user, withingsBatch(pageNamingTokyo));
    },
  },
];
