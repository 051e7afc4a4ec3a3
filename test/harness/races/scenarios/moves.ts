// The user moves to another time zone while the writer works.
import type { Scenario } from '../race.ts';
import {
  evening,
  here,
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
    call: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, evening], [watch, late]),
  },
  {
    ...here,
    name: 'the user moves while sessions are worked in',
    metrics: ['asleep'],
    endsIn: [tokyo],
    before: (user) => waiting(user, [watch, sessions]),
    call: moveTo(tokyo),
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
    call: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, threeNights], [watch, nap]),
  },
  {
    ...here,
    name: 'the days of a move are made',
    endsIn: [tokyo],
    async before(user) {
      await inTurn(user, [watch, { ...late, ...threeNights }]);
      await moveTo(tokyo)(user, user.deps);
    },
    inPeace: (user) => inTurn(user, [watch, { ...late, ...threeNights }]),
  },
  {
    ...here,
    name: 'the user moves on while the days of a move are made',
    endsIn: [losAngeles],
    async before(user) {
      await inTurn(user, [watch, late], [watch, sessions]);
      await moveTo(tokyo)(user, user.deps);
    },
    call: moveTo(losAngeles),
    inPeace: (user) => inTurn(user, [watch, late], [watch, sessions]),
  },
  {
    ...here,
    name: 'the user moves back while the days of a move are made',
    endsIn: ['UTC'],
    async before(user) {
      await inTurn(user, [watch, late], [watch, sessions]);
      await moveTo(tokyo)(user, user.deps);
    },
    call: moveTo('UTC'),
    inPeace: (user) => inTurn(user, [watch, late], [watch, sessions]),
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
    call: moveTo(tokyo),
    inPeace: (user) => inTurn(user, [watch, { ...pastMidnight, ...stages }]),
  },
];
