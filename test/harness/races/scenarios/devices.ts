// Devices come, go or change while the writer works.
import type { Scenario } from '../race.ts';
import {
  bring,
  disconnect,
  evening,
  here,
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
    call: disconnect(watch),
    isSilent: true,
    inPeace: (user) => inTurn(user, [phone, evening]),
  },
  {
    ...here,
    name: 'a device is disconnected while the settings take effect',
    async before(user) {
      await inTurn(user, [phone, evening], [watch, late]);
      await useLargest(user, user.deps);
    },
    call: disconnect(watch),
    isSilent: true,
    async inPeace(user) {
      await inTurn(user, [phone, evening]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'a device is disconnected while the user moves',
    endsIn: [tokyo],
    async before(user) {
      await inTurn(user, [phone, evening], [watch, late]);
      await moveTo(tokyo)(user, user.deps);
    },
    call: disconnect(watch),
    isSilent: true,
    inPeace: (user) => inTurn(user, [phone, evening]),
  },
  {
    ...here,
    name: 'a device leaves with all that it brought',
    async before(user) {
      await inTurn(user, [phone, evening], [watch, { ...late, ...sessions }]);
      await disconnect(watch)(user, user.deps);
    },
    isSilent: true,
    inPeace: (user) => inTurn(user, [phone, evening]),
  },
  {
    ...here,
    name: 'a second device is disconnected while the first one leaves',
    async before(user) {
      await inTurn(user, [watch, { ...late, ...sessions }], [phone, evening]);
      await disconnect(watch)(user, user.deps);
    },
    call: disconnect(phone),
    isSilent: true,
    inPeace: async () => {},
  },
  {
    ...here,
    name: 'a phone brings something while its device leaves, after it was linked again',
    async before(user) {
      await inTurn(user, [phone, evening], [watch, late]);
      await disconnect(watch)(user, user.deps);
    },
    call: bring(watch, nextMorning),
    isSilent: true,
    inPeace: (user) => inTurn(user, [phone, evening], [watch, nextMorning]),
  },
  {
    ...here,
    name: 'a device says it is of another type while an upload is worked in',
    async before(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await waiting(user, [phone, nextMorning]);
    },
    call: bring({ ...watch, type: 'app' }, steps('2026-03-11T04:00:00Z', 4000)),
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late], [phone, nextMorning]);
      await inTurn(user, [{ ...watch, type: 'app' }, steps('2026-03-11T04:00:00Z', 4000)]);
    },
  },
  {
    ...here,
    name: 'a new device comes while the settings take effect',
    async before(user) {
      await inTurn(user, [watch, evening]);
      await useLargest(user, user.deps);
    },
    call: bring(phone, late),
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
];
