// A phone uploads while the writer processes its previous upload.
import type { Scenario } from '../race.ts';
import {
  eveningSteps,
  inTokyo,
  inUtc,
  lateSteps,
  lateStepsInTokyo,
  lateStepsInUtc,
  nap,
  nextMorningSteps,
  nightInTokyo,
  nightInUtc,
  phone,
  uploadFrom,
  uploadSerially,
  uploadWithoutProcessing,
  watch,
} from './scenario-fixtures.ts';

export const uploadScenarios: readonly Scenario[] = [
  {
    ...inTokyo,
    name: 'another device uploads the same day',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps]);
      await uploadWithoutProcessing(user, [watch, lateSteps]);
    },
    call: uploadFrom(phone, nextMorningSteps),
    replaySerially: (user) =>
      uploadSerially(user, [phone, eveningSteps], [watch, lateSteps], [phone, nextMorningSteps]),
    replayWithoutCall: (user) => uploadSerially(user, [phone, eveningSteps], [watch, lateSteps]),
  },
  {
    ...inTokyo,
    name: 'the same device uploads the same day',
    before: (user) => uploadWithoutProcessing(user, [watch, lateSteps]),
    call: uploadFrom(watch, nextMorningSteps),
    replaySerially: (user) => uploadSerially(user, [watch, lateSteps], [watch, nextMorningSteps]),
    replayWithoutCall: (user) => uploadSerially(user, [watch, lateSteps]),
  },
  {
    ...inTokyo,
    name: 'one device sends two uploads at once',
    before: (user) => uploadSerially(user, [watch, eveningSteps]),
    concurrentCall: uploadFrom(watch, lateSteps),
    call: uploadFrom(watch, nextMorningSteps),
    replaySerially: (user) =>
      uploadSerially(user, [watch, eveningSteps], [watch, lateSteps], [watch, nextMorningSteps]),
  },
  {
    ...inUtc,
    name: 'the phone repeats an upload that is being processed',
    before: (user) => uploadWithoutProcessing(user, [watch, lateSteps]),
    call: uploadFrom(watch, lateSteps),
    replaySerially: (user) => uploadSerially(user, [watch, lateSteps]),
    replayWithoutCall: (user) => uploadSerially(user, [watch, lateSteps]),
  },
  {
    ...inUtc,
    name: 'the phone retracts an upload that is being processed',
    async before(user) {
      await uploadSerially(user, [watch, lateStepsInUtc]);
      await uploadWithoutProcessing(user, [watch, lateStepsInTokyo]);
    },
    call: uploadFrom(watch, lateStepsInUtc),
    replaySerially: (user) => uploadSerially(user, [watch, lateStepsInUtc]),
    replayWithoutCall: (user) => uploadSerially(user, [watch, lateStepsInUtc], [watch, lateStepsInTokyo]),
  },
  {
    ...inUtc,
    name: 'a night moves to another day while a nap of its day is processed',
    metrics: ['asleep'],
    async before(user) {
      await uploadSerially(user, [watch, nightInUtc]);
      await uploadWithoutProcessing(user, [watch, nap]);
    },
    call: uploadFrom(watch, nightInTokyo),
    replaySerially: (user) => uploadSerially(user, [watch, nap], [watch, nightInTokyo]),
    replayWithoutCall: (user) => uploadSerially(user, [watch, nightInUtc], [watch, nap]),
  },
];
