// The races that workers of one user can get into.
import { patchConfiguration } from '../../shared/domain/consolidation/configuration.ts';
import { disconnectDevice } from '../../shared/domain/devices.ts';
import { updateUser } from '../../shared/domain/users.ts';
import type { Scenario } from './interleavings.ts';
import type { Gadget, RacedUser, Records } from './raced-user.ts';

const watch: Gadget = { provider: 'apple_health', name: 'Watch', model: 'W1', type: 'wrist' };
const phone: Gadget = { provider: 'samsung_health', name: 'Phone', model: 'P1', type: 'phone' };

const steps = (start: string, value: number, more: object = {}): Records => ({
  samples: [{ metric: 'steps', start, value, unit: 'count', ...more }],
});

type Worker = Scenario['A'];
const ingest: Worker = (user, deps) => user.ingest(deps);
const moveTo =
  (timezone: string): Worker =>
  async (user, deps) => {
    await updateUser(deps, user.caller, user.id, { timezone });
    await user.ingest(deps);
  };
const disconnect =
  (gadget: Gadget): Worker =>
  async (user, deps) => {
    await disconnectDevice(deps, user.caller, user.id, await user.deviceId(gadget));
    await user.ingest(deps);
  };

const bring =
  (gadget: Gadget, records: Records): Worker =>
  async (user, deps) => {
    await user.upload(gadget, records, deps);
    await user.ingest(deps);
    await user.rebuild(deps);
  };
const useLargest: Worker = async (user, deps) => {
  await patchConfiguration(deps, user.caller, user.id, { metrics: { steps: { method: 'max' } } });
  await user.rebuild(deps);
};

/** Works each upload in before the next comes. */
const inTurn = async (user: RacedUser, ...uploads: [Gadget, Records][]): Promise<void> => {
  for (const [gadget, records] of uploads) {
    await user.upload(gadget, records);
    await user.settle();
  }
};
const waiting = async (user: RacedUser, ...uploads: [Gadget, Records][]): Promise<void> => {
  for (const [gadget, records] of uploads) await user.upload(gadget, records);
};

const here = {
  startsIn: null,
  endsIn: [null],
  dates: ['2026-03-09', '2026-03-10', '2026-03-11'],
  metrics: ['steps'],
} as const;
const [tokyo, losAngeles] = ['Asia/Tokyo', 'America/Los_Angeles'];
const inTokyo = { ...here, startsIn: tokyo, endsIn: [tokyo] };

const evening = steps('2026-03-10T20:00:00Z', 1);
const late = steps('2026-03-10T23:30:00Z', 20);
const nextMorning = steps('2026-03-11T03:00:00Z', 300);
const lateHere = steps('2026-03-10T23:30:00Z', 20, { utc_offset: '+00:00' });
const lateInTokyo = steps('2026-03-10T23:30:00Z', 20, { utc_offset: '+09:00' });

const asleep = { start: '2026-03-10T15:00:00Z', end: '2026-03-10T23:30:00Z', asleep_minutes: 400 };
const walked = {
  type: 'walking',
  start: '2026-03-10T22:00:00Z',
  end: '2026-03-10T22:30:00Z',
  heart_rate: [{ timestamp: '2026-03-10T22:10:00Z', bpm: 100 }],
};
const sessions = { sleep: [asleep], workouts: [walked] };
const samples = (start: string, end: string, value: number): Records => steps(start, value, { end });
const acrossMidnight = samples('2026-03-10T23:00:00Z', '2026-03-11T01:00:00Z', 120);
const acrossMidnightToo = samples('2026-03-10T23:30:00Z', '2026-03-11T00:30:00Z', 600);
const nightHere = { sleep: [{ ...asleep, utc_offset: '+00:00' }] };
const nightInTokyo = { sleep: [{ ...asleep, utc_offset: '+09:00' }] };
const nap = { sleep: [{ start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z', asleep_minutes: 50 }] };

const pastMidnight = {
  sleep: [{ start: '2026-03-10T22:00:00Z', end: '2026-03-11T06:00:00Z', asleep_minutes: 450, deep_minutes: 90 }],
};
const stage = (metric: string, start: string, end: string): object => ({ metric, start, end, value: 30, unit: 'min' });
const stages = {
  samples: [
    stage('deep_sleep', '2026-03-10T22:30:00Z', '2026-03-10T23:00:00Z'),
    stage('rem_sleep', '2026-03-11T01:00:00Z', '2026-03-11T01:30:00Z'),
  ],
};

export const scenarios: readonly Scenario[] = [
  {
    ...here,
    name: 'the user moves while samples are worked in',
    endsIn: [tokyo],
    async before(user) {
      await inTurn(user, [watch, evening]);
      await waiting(user, [watch, late]);
    },
    A: ingest,
    B: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, evening], [watch, late]),
  },
  {
    ...here,
    name: 'the user moves while sessions are worked in',
    metrics: ['asleep'],
    endsIn: [tokyo],
    before: (user) => waiting(user, [watch, sessions]),
    A: ingest,
    B: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, sessions]),
  },
  {
    ...here,
    name: 'the user moves twice',
    endsIn: [tokyo, losAngeles],
    before: (user) => waiting(user, [watch, late]),
    A: moveTo(tokyo),
    B: moveTo(losAngeles),
    inPeace: (user) => inTurn(user, [watch, late]),
  },
  {
    ...inTokyo,
    name: 'two devices bring the same day',
    before: (user) => waiting(user, [watch, late], [phone, nextMorning]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, late], [phone, nextMorning]),
  },
  {
    ...inTokyo,
    name: 'one device brings the same day twice',
    before: (user) => waiting(user, [watch, late], [watch, nextMorning]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, late], [watch, nextMorning]),
  },
  {
    ...here,
    name: 'a device is disconnected while its upload is worked in',
    async before(user) {
      await inTurn(user, [phone, evening], [watch, late]);
      await waiting(user, [watch, { ...nextMorning, ...sessions }]);
    },
    A: ingest,
    B: disconnect(watch),
    inPeace: (user) => inTurn(user, [phone, evening]),
  },
  {
    ...here,
    name: 'a device is disconnected while the settings change',
    before: (user) => inTurn(user, [phone, evening], [watch, late]),
    A: useLargest,
    B: disconnect(watch),
    async inPeace(user) {
      await inTurn(user, [phone, evening]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'a device is disconnected while the user moves',
    endsIn: [tokyo],
    before: (user) => inTurn(user, [phone, evening], [watch, late]),
    A: moveTo(tokyo),
    B: disconnect(watch),
    inPeace: (user) => inTurn(user, [phone, evening]),
  },
  {
    ...here,
    name: 'the settings change while an upload is worked in',
    async before(user) {
      await inTurn(user, [watch, evening]);
      await waiting(user, [phone, late]);
    },
    A: ingest,
    B: useLargest,
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'the settings change while the user moves',
    endsIn: [tokyo],
    before: (user) => inTurn(user, [watch, evening], [phone, late]),
    A: moveTo(tokyo),
    B: useLargest,
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'a sample moves to another day after another of its day',
    async before(user) {
      await inTurn(user, [watch, lateHere]);
      await waiting(user, [watch, evening], [watch, lateInTokyo]);
    },
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, evening], [watch, lateInTokyo]),
  },
  {
    ...here,
    name: 'a sample moves to another day before another of its day',
    async before(user) {
      await inTurn(user, [watch, lateHere]);
      await waiting(user, [watch, lateInTokyo], [watch, evening]);
    },
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, evening], [watch, lateInTokyo]),
  },
  {
    ...here,
    name: 'a night moves to another day after a nap of its day',
    metrics: ['asleep'],
    async before(user) {
      await inTurn(user, [watch, nightHere]);
      await waiting(user, [watch, nap], [watch, nightInTokyo]);
    },
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, nap], [watch, nightInTokyo]),
  },
  {
    ...here,
    name: 'a night comes before samples of its stages',
    metrics: ['deep_sleep', 'rem_sleep'],
    before: (user) => waiting(user, [watch, pastMidnight], [watch, stages]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, { ...pastMidnight, ...stages }]),
  },
  {
    ...here,
    name: 'a night comes after samples of its stages',
    metrics: ['deep_sleep', 'rem_sleep'],
    before: (user) => waiting(user, [watch, stages], [watch, pastMidnight]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, { ...pastMidnight, ...stages }]),
  },
  {
    ...here,
    name: 'the user moves while the stages of a night are worked in',
    metrics: ['deep_sleep', 'rem_sleep'],
    endsIn: [tokyo],
    async before(user) {
      await inTurn(user, [watch, pastMidnight]);
      await waiting(user, [watch, stages]);
    },
    A: ingest,
    B: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, { ...pastMidnight, ...stages }]),
  },
  {
    ...here,
    name: 'two devices measure across midnight',
    before: (user) => waiting(user, [watch, acrossMidnight], [phone, acrossMidnightToo]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, acrossMidnight], [phone, acrossMidnightToo]),
  },
  {
    ...here,
    name: 'a device is disconnected that measured across midnight',
    async before(user) {
      await inTurn(user, [watch, acrossMidnight]);
      await waiting(user, [phone, acrossMidnightToo]);
    },
    A: ingest,
    B: disconnect(watch),
    inPeace: (user) => inTurn(user, [phone, acrossMidnightToo]),
  },
  {
    ...here,
    name: 'both devices are disconnected',
    before: (user) => inTurn(user, [watch, { ...late, ...sessions }], [phone, evening]),
    A: disconnect(watch),
    B: disconnect(phone),
    inPeace: async () => {},
  },
  {
    ...here,
    name: 'a device says it is of another type while an upload is worked in',
    async before(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await waiting(user, [phone, nextMorning]);
    },
    A: ingest,
    B: bring({ ...watch, type: 'app' }, steps('2026-03-11T04:00:00Z', 4000)),
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late], [phone, nextMorning]);
      await inTurn(user, [{ ...watch, type: 'app' }, steps('2026-03-11T04:00:00Z', 4000)]);
    },
  },
  {
    ...here,
    name: 'a new device comes while the settings change',
    before: (user) => inTurn(user, [watch, evening]),
    A: useLargest,
    B: bring(phone, late),
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'a new device comes while the user moves',
    endsIn: [tokyo],
    before: (user) => inTurn(user, [watch, evening]),
    A: moveTo(tokyo),
    B: bring(phone, late),
    inPeace: (user) => inTurn(user, [watch, evening], [phone, late]),
  },
];
