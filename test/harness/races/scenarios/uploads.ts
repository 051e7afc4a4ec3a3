// Races of uploads of one user.
import type { Scenario } from '../interleavings.ts';
import {
  acrossMidnight,
  acrossMidnightToo,
  evening,
  here,
  ingest,
  inTokyo,
  inTurn,
  late,
  lateHere,
  lateInTokyo,
  nap,
  nextMorning,
  nightHere,
  nightInTokyo,
  pastMidnight,
  phone,
  stages,
  waiting,
  watch,
} from './cast.ts';

export const uploads: readonly Scenario[] = [
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
    name: 'two devices measure across midnight',
    before: (user) => waiting(user, [watch, acrossMidnight], [phone, acrossMidnightToo]),
    A: ingest,
    B: ingest,
    inPeace: (user) => inTurn(user, [watch, acrossMidnight], [phone, acrossMidnightToo]),
  },
];
