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
  sessions,
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
];
