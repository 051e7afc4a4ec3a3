// Devices are added, removed or changed while the writer runs.
import type { Scenario } from '../race.ts';
import {
  disconnect,
  eveningSteps,
  inUtc,
  lateSteps,
  moveTo,
  nextMorningSteps,
  phone,
  sessions,
  stepsUpload,
  tokyo,
  uploadFrom,
  uploadSerially,
  uploadWithoutProcessing,
  useMaxMethod,
  watch,
} from './scenario-fixtures.ts';

export const deviceScenarios: readonly Scenario[] = [
  {
    ...inUtc,
    name: 'a device is disconnected while its upload is processed',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, lateSteps]);
      await uploadWithoutProcessing(user, [watch, { ...nextMorningSteps, ...sessions }]);
    },
    call: disconnect(watch),
    isSilent: true,
    replaySerially: (user) => uploadSerially(user, [phone, eveningSteps]),
  },
  {
    ...inUtc,
    name: 'a device is disconnected while the settings take effect',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, lateSteps]);
      await useMaxMethod(user, user.deps);
    },
    call: disconnect(watch),
    isSilent: true,
    async replaySerially(user) {
      await uploadSerially(user, [phone, eveningSteps]);
      await useMaxMethod(user, user.deps);
    },
  },
  {
    ...inUtc,
    name: 'a device is disconnected while the user moves',
    endsIn: [tokyo],
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, lateSteps]);
      await moveTo(tokyo)(user, user.deps);
    },
    call: disconnect(watch),
    isSilent: true,
    replaySerially: (user) => uploadSerially(user, [phone, eveningSteps]),
  },
  {
    ...inUtc,
    name: 'a disconnected device is removed with all its data',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, { ...lateSteps, ...sessions }]);
      await disconnect(watch)(user, user.deps);
    },
    isSilent: true,
    replaySerially: (user) => uploadSerially(user, [phone, eveningSteps]),
  },
  {
    ...inUtc,
    name: 'a second device is disconnected while the first is removed',
    async before(user) {
      await uploadSerially(user, [watch, { ...lateSteps, ...sessions }], [phone, eveningSteps]);
      await disconnect(watch)(user, user.deps);
    },
    call: disconnect(phone),
    isSilent: true,
    replaySerially: async () => {},
  },
  {
    ...inUtc,
    name: 'a phone uploads for a relinked device while that device is being removed',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, lateSteps]);
      await disconnect(watch)(user, user.deps);
    },
    call: uploadFrom(watch, nextMorningSteps),
    isSilent: true,
    replaySerially: (user) => uploadSerially(user, [phone, eveningSteps], [watch, nextMorningSteps]),
  },
  {
    ...inUtc,
    name: 'a device reports another type while an upload is processed',
    async before(user) {
      await uploadSerially(user, [watch, eveningSteps], [phone, lateSteps]);
      await uploadWithoutProcessing(user, [phone, nextMorningSteps]);
    },
    call: uploadFrom({ ...watch, type: 'app' }, stepsUpload('2026-03-11T04:00:00Z', 4000)),
    async replaySerially(user) {
      await uploadSerially(user, [watch, eveningSteps], [phone, lateSteps], [phone, nextMorningSteps]);
      await uploadSerially(user, [{ ...watch, type: 'app' }, stepsUpload('2026-03-11T04:00:00Z', 4000)]);
    },
  },
  {
    ...inUtc,
    name: 'a new device appears while the settings take effect',
    async before(user) {
      await uploadSerially(user, [watch, eveningSteps]);
      await useMaxMethod(user, user.deps);
    },
    call: uploadFrom(phone, lateSteps),
    async replaySerially(user) {
      await uploadSerially(user, [watch, eveningSteps], [phone, lateSteps]);
      await useMaxMethod(user, user.deps);
    },
  },
];
