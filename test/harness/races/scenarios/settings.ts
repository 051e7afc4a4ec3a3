// Races in which the way days are consolidated changes.
import type { Scenario } from '../interleavings.ts';
import { evening, here, ingest, inTurn, late, moveTo, phone, tokyo, useLargest, waiting, watch } from './cast.ts';

export const settings: readonly Scenario[] = [
  {
    ...here,
    name: 'the settings change while an upload is worked in',
    async before(user) {
      await inTurn(user, [watch, evening]);
      await waiting(user, [phone, late]);
    },
    A: ingest,
    B: useLargest,
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
  {
    ...here,
    name: 'the settings change while the user moves',
    endsIn: [tokyo],
    before: (user) => inTurn(user, [watch, evening], [phone, late]),
    A: moveTo(tokyo),
    B: useLargest,
    async inPeace(user) {
      await inTurn(user, [watch, evening], [phone, late]);
      await useLargest(user, user.deps);
    },
  },
];
