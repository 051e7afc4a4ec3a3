// Races in which devices come, go or change.
import type { Scenario } from '../interleavings.ts';
import {
  acrossMidnight,
  acrossMidnightToo,
  bring,
  disconnect,
  evening,
  here,
  ingest,
  inTurn,
  late,
  moveTo,
  nextMorning,
  phone,
  sessions,
  steps,
  tokyo,
  useLargest,
  waiting,
  watch,
} from './cast.ts';

export const devices: readonly Scenario[] = [
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
