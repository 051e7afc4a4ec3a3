// The user moves to another time zone while the writer runs.
import type { Scenario } from '../race.ts';
import {
  eveningSteps,
  inUtc,
  lateSteps,
  losAngeles,
  moveTo,
  nap,
  sessions,
  threeNights,
  tokyo,
  uploadSerially,
  uploadWithoutProcessing,
  watch,
} from './scenario-fixtures.ts';

export const timeZoneMoveScenarios: readonly Scenario[] = [
  {
    ...inUtc,
    name: 'the user moves while samples are processed',
    endsIn: [tokyo],
    async before(user) {
      await uploadSerially(user, [watch, eveningSteps]);
      await uploadWithoutProcessing(user, [watch, lateSteps]);
    },
    call: moveTo(tokyo),
    replaySerially: (user) => uploadSerially(user, [watch, eveningSteps], [watch, lateSteps]),
  },
  {
    ...inUtc,
    name: 'every night moves by a day while another is processed',
    metrics: ['asleep'],
    endsIn: [tokyo],
    async before(user) {
      await uploadSerially(user, [watch, threeNights]);
      await uploadWithoutProcessing(user, [watch, nap]);
    },
    call: moveTo(tokyo),
    replaySerially: (user) => uploadSerially(user, [watch, threeNights], [watch, nap]),
  },
  {
    ...inUtc,
    name: 'the days are rebuilt after a move',
    endsIn: [tokyo],
    async before(user) {
      await uploadSerially(user, [watch, { ...lateSteps, ...threeNights }]);
      await moveTo(tokyo)(user, user.deps);
    },
    replaySerially: (user) => uploadSerially(user, [watch, { ...lateSteps, ...threeNights }]),
  },
  {
    ...inUtc,
    name: 'the user moves again while the days are rebuilt after a move',
    endsIn: [losAngeles],
    async before(user) {
      await uploadSerially(user, [watch, lateSteps], [watch, sessions]);
      await moveTo(tokyo)(user, user.deps);
    },
    call: moveTo(losAngeles),
    replaySerially: (user) => uploadSerially(user, [watch, lateSteps], [watch, sessions]),
  },
];
