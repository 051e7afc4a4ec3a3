// A profile without a time zone is given one while the writer works.

import { acceptRecords } from '../../../../shared/pipeline/accept-records.ts';
import type { RawBatch } from '../../../../shared/providers/kit/normalizer.ts';
import { rawPages } from '../../../../shared/providers/kit/pages.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { findOrCreateDevice } from '../../../../shared/users/devices.ts';
import type { RacedUser } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import { bring, evening, here, inTurn, late, losAngeles, moveTo, phone, tokyo, watch } from './cast.ts';

const nowhere = { ...here, startsIn: null, metrics: ['steps'] } as const;

const page = (resource: string, body: object) => ({ resource, text: JSON.stringify({ status: 0, body }) });
/** Until the evening of the 10th, which is the 11th in Tokyo. */
const night = page('sleep', { series: [{ id: 1, startdate: 1773154800, enddate: 1773185400, data: {} }] });
const namingTokyo = page('activity', { activities: [{ date: '2026-03-10', timezone: tokyo, steps: 4000 }] });

const ofWithings = (...pages: (typeof night)[]): RawBatch =>
  rawPages({ source: 'withings', format: 1, timeZone: null }, { asked: null, pages }, '2026-03-11');

/** What a scale has brought, which waits to be worked in. */
async function fromWithings(user: RacedUser, raw: RawBatch, deps: Deps = user.deps): Promise<void> {
  const scale = { provider: 'withings', connection: 'cloud', deviceType: 'scale', model: 'S1', name: null } as const;
  const found = await findOrCreateDevice(deps, user.id, scale);
  if (!found) throw new Error('there is no user');
  await acceptRecords(deps, user.id, deps.clock.now(), [{ device: found.device, raw, scopes: [] }]);
}

const inTokyo = { ...late, time_zone: tokyo };
const inLosAngeles = { ...evening, time_zone: losAngeles };

export const fills: readonly Scenario[] = [
  {
    ...nowhere,
    name: 'two phones name a zone for one watch',
    endsIn: [tokyo, losAngeles],
    before: async () => {},
    beside: bring(watch, inTokyo),
    call: bring(watch, inLosAngeles),
    inPeace: (user) => inTurn(user, [watch, inTokyo], [watch, inLosAngeles]),
  },
  {
    ...nowhere,
    name: 'a phone names a zone while the user moves',
    endsIn: [losAngeles],
    before: async () => {},
    beside: bring(watch, inTokyo),
    call: moveTo(losAngeles),
    inPeace: (user) => inTurn(user, [watch, inTokyo]),
  },
  {
    ...nowhere,
    name: 'a phone names a zone while data are worked in without one',
    endsIn: [tokyo],
    before: (user) => fromWithings(user, ofWithings(night)),
    call: bring(phone, { ...late, time_zone: tokyo }),
    async inPeace(user) {
      await fromWithings(user, ofWithings(night));
      await user.settle();
      await inTurn(user, [phone, { ...late, time_zone: tokyo }]);
    },
  },
  {
    ...nowhere,
    name: 'the user is given a zone while a provider names one in its first data',
    endsIn: [tokyo, losAngeles],
    before: (user) => fromWithings(user, ofWithings(night, namingTokyo)),
    call: moveTo(losAngeles),
    inPeace: (user) => fromWithings(user, ofWithings(night, namingTokyo)),
  },
  {
    ...nowhere,
    name: 'a provider names a zone after it has brought data without one',
    endsIn: [tokyo],
    before: (user) => fromWithings(user, ofWithings(night)),
    call: (user, deps) => fromWithings(user, ofWithings(namingTokyo), deps),
    async inPeace(user) {
      await fromWithings(user, ofWithings(night));
      await fromWithings(user, ofWithings(namingTokyo));
    },
  },
];
