// Uploads that take records away from days on which nothing else stands: the writer dies, or is overtaken.
import type { Gadget, Records } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import {
  here,
  inTurn,
  lateHere,
  lateInTokyo,
  losAngeles,
  nightHere,
  nightInTokyo,
  phone,
  stages,
  steps,
  tokyo,
  waiting,
  watch,
} from './cast.ts';

type Upload = [Gadget, Records];

const corrected = (
  name: string,
  metrics: Scenario['metrics'],
  first: readonly Upload[],
  correction: Upload,
): Scenario => ({
  ...here,
  name,
  metrics,
  dates: ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'],
  async before(user) {
    await inTurn(user, ...first);
    await waiting(user, correction);
  },
  inPeace: (user) => inTurn(user, ...first, correction),
});

const lateOn = (utc_offset: string, value: number): Records =>
  steps('2026-03-10T23:00:00Z', value, { end: '2026-03-10T23:50:00Z', utc_offset });

/** Which day it ends on is for the profile's zone to say, wherever the phone is. */
const nightFrom = (time_zone: string, end: string): Records => ({
  time_zone,
  sleep: [{ start: '2026-03-10T05:00:00Z', end, asleep_minutes: 300 }],
});

export const corrections: readonly Scenario[] = [
  {
    ...corrected(
      'a night grows into another day, and the phone has travelled since',
      ['asleep'],
      [
        [watch, nightFrom(tokyo, '2026-03-10T14:00:00Z')],
        [phone, nightFrom(tokyo, '2026-03-10T16:00:00Z')],
      ],
      [watch, nightFrom(losAngeles, '2026-03-10T16:00:00Z')],
    ),
    startsIn: tokyo,
    endsIn: [tokyo],
  },
  corrected('a sample alone on its day moves', ['steps'], [[watch, lateHere]], [watch, lateInTokyo]),
  corrected(
    'a night moves with its stages',
    ['asleep', 'deep_sleep'],
    [
      [watch, nightHere],
      [watch, stages],
    ],
    [watch, nightInTokyo],
  ),
  corrected(
    'a better device moves away from the hours of another',
    ['steps'],
    [
      [phone, lateOn('+00:00', 600)],
      [watch, lateOn('+09:00', 20)],
    ],
    [watch, lateOn('-09:00', 20)],
  ),
];
