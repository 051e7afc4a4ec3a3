// Races in which the user moves to another time zone.
import type { Scenario } from '../interleavings.ts';
import {
  evening,
  here,
  ingest,
  inTurn,
  late,
  losAngeles,
  moveTo,
  nap,
  pastMidnight,
  sessions,
  stages,
  threeNights,
  tokyo,
  waiting,
  watch,
} from './cast.ts';

export const moves: readonly Scenario[] = [
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
    name: 'every night moves by a day while another is worked in',
    metrics: ['asleep'],
    endsIn: [tokyo],
    async before(user) {
      await inTurn(user, [watch, threeNights]);
      await waiting(user, [watch, nap]);
    },
    A: ingest,
    B: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, threeNights], [watch, nap]),
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
    ...here,
    name: 'a sleeper moves twice',
    metrics: ['asleep'],
    endsIn: [tokyo, losAngeles],
    before: (user) => inTurn(user, [watch, sessions]),
    A: moveTo(tokyo),
    B: moveTo(losAngeles),
    inPeace: (user) => inTurn(user, [watch, sessions]),
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
];
