// Races in which a profile without a time zone is given one.
import type { Deps } from '../../../../shared/domain/deps.ts';
import { findOrCreateDevice } from '../../../../shared/domain/devices/devices.ts';
import { acceptRecords } from '../../../../shared/domain/ingest/accept-records.ts';
import type { RawBatch } from '../../../../shared/providers/normalizer.ts';
import { rawPages } from '../../../../shared/providers/pages.ts';
import type { RacedUser } from '../../raced-user.ts';
import type { Scenario } from '../interleavings.ts';
import { bring, evening, here, ingest, inTurn, late, losAngeles, moveTo, phone, tokyo, watch } from './cast.ts';

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
    A: bring(watch, inTokyo),
    B: bring(watch, inLosAngeles),
    inPeace: (user) => inTurn(user, [watch, inTokyo], [watch, inLosAngeles]),
  },
  {
    ...nowhere,
    name: 'a phone names a zone while the user moves',
    endsIn: [losAngeles],
    before: async () => {},
    A: bring(watch, inTokyo),
    B: moveTo(losAngeles),
    inPeace: (user) => inTurn(user, [watch, inTokyo]),
  },
  {
    ...nowhere,
    name: 'a phone names a zone while data are worked in without one',
    deepOnly: true,
    endsIn: [tokyo],
    before: (user) => fromWithings(user, ofWithings(night)),
    A: ingest,
    B: bring(phone, { ...late, time_zone: tokyo }),
    async inPeace(user) {
      await fromWithings(user, ofWithings(night));
      await user.settle();
      await inTurn(user, [phone, { ...late, time_zone: tokyo }]);
    },
  },
  {
    ...nowhere,
    name: 'a provider names a zone in its first data',
    deepOnly: true,
    endsIn: [tokyo],
    before: (user) => fromWithings(user, ofWithings(night, namingTokyo)),
    A: ingest,
    B: ingest,
    inPeace: (user) => fromWithings(user, ofWithings(night, namingTokyo)),
  },
  {
    ...nowhere,
    name: 'a provider names a zone after it has brought data without one',
    deepOnly: true,
    endsIn: [tokyo],
    async before(user) {
      await fromWithings(user, ofWithings(night));
      await fromWithings(user, ofWithings(namingTokyo));
    },
    A: ingest,
    B: ingest,
    async inPeace(user) {
      await fromWithings(user, ofWithings(night));
      await fromWithings(user, ofWithings(namingTokyo));
    },
  },
];
