// Devices come, go or change while the writer works.
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
    name: 'a device is disconnected while its upload is worked in',
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
    name: 'a device leaves with all that it brought',
    async before(user) {
      await uploadSerially(user, [phone, eveningSteps], [watch, { ...lateSteps, ...sessions }]);
      await disconnect(watch)(user, user.deps);
    },
    isSilent: true,
    replaySerially: (user) => uploadSerially(user, [phone, eveningSteps]),
  },
  {
    ...inUtc,
    name: 'a second device is disconnected while the first one leaves',
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
    name: 'a phone brings something while its device leaves, after it was linked again',
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
    name: 'a device says it is of another type while an upload is worked in',
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
    name: 'a new device comes while the settings take effect',
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
