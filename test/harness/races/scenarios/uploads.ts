// A phone brings something while the writer works on what it brought before.
import type { Scenario } from '../race.ts';
import {
  bring,
  evening,
  here,
  inTokyo,
  inTurn,
  late,
  lateHere,
  lateInTokyo,
  nap,
  nextMorning,
  nightHere,
  nightInTokyo,
  phone,
  waiting,
  watch,
} from './cast.ts';

export const uploads: readonly Scenario[] = [
  {
    ...inTokyo,
    name: 'another device brings the same day',
    async before(user) {
      await inTurn(user, [phone, evening]);
      await waiting(user, [watch, late]);
    },
    call: bring(phone, nextMorning),
    inPeace: (user) => inTurn(user, [phone, evening], [watch, late], [phone, nextMorning]),
    uncalled: (user) => inTurn(user, [phone, evening], [watch, late]),
  },
  {
    ...inTokyo,
    name: 'the same device brings the same day',
    before: (user) => waiting(user, [watch, late]),
    call: bring(watch, nextMorning),
    inPeace: (user) => inTurn(user, [watch, late], [watch, nextMorning]),
    uncalled: (user) => inTurn(user, [watch, late]),
  },
  {
    ...inTokyo,
    name: 'one device brings two uploads at once',
    before: (user) => inTurn(user, [watch, evening]),
    beside: bring(watch, late),
    call: bring(watch, nextMorning),
    inPeace: (user) => inTurn(user, [watch, evening], [watch, late], [watch, nextMorning]),
  },
  {
    ...here,
    name: 'the phone sends once more what is being worked in',
    before: (user) => waiting(user, [watch, late]),
    call: bring(watch, late),
    inPeace: (user) => inTurn(user, [watch, late]),
    uncalled: (user) => inTurn(user, [watch, late]),
  },
  {
    ...here,
    name: 'the phone takes back what is being worked in',
    async before(user) {
      await inTurn(user, [watch, lateHere]);
      await waiting(user, [watch, lateInTokyo]);
    },
    call: bring(watch, lateHere),
    inPeace: (user) => inTurn(user, [watch, lateHere]),
    uncalled: (user) => inTurn(user, [watch, lateHere], [watch, lateInTokyo]),
  },
  {
    ...here,
    name: 'a night moves to another day while a nap of its day is worked in',
    metrics: ['asleep'],
    async before(user) {
      await inTurn(user, [watch, nightHere]);
      await waiting(user, [watch, nap]);
    },
    call: bring(watch, nightInTokyo),
    inPeace: (user) => inTurn(user, [watch, nap], [watch, nightInTokyo]),
    uncalled: (user) => inTurn(user, [watch, nightHere], [watch, nap]),
  },
];
