// Uploads that take records away from days on which nothing else stands: the writer dies, or is overtaken.
import type { RecordLists, TestDevice } from '../../raced-user.ts';
import type { Scenario } from '../race.ts';
import {
  inUtc,
  lateStepsInTokyo,
  lateStepsInUtc,
  losAngeles,
  nightInTokyo,
  nightInUtc,
  phone,
  stages,
  stepsUpload,
  tokyo,
  uploadSerially,
  uploadWithoutProcessing,
  watch,
} from './scenario-fixtures.ts';

type Upload = [TestDevice, RecordLists];

const makeCorrectionScenario = (
  name: string,
  metrics: Scenario['metrics'],
  first: readonly Upload[],
  correction: Upload,
): Scenario => ({
  ...inUtc,
  name,
  metrics,
  dates: ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'],
  async before(user) {
    await uploadSerially(user, ...first);
    await uploadWithoutProcessing(user, correction);
  },
  replaySerially: (user) => uploadSerially(user, ...first, correction),
});

const lateStepsAt = (utc_offset: string, value: number): RecordLists =>
  stepsUpload('2026-03-10T23:00:00Z', value, { end: '2026-03-10T23:50:00Z', utc_offset });

/** Which day it ends on is for the profile's zone to say, wherever the phone is. */
const nightFrom = (time_zone: string, end: string): RecordLists => ({
  time_zone,
  sleep: [{ start: '2026-03-10T05:00:00Z', end, asleep_minutes: 300 }],
});

export const correctionScenarios: readonly Scenario[] = [
  {
    ...makeCorrectionScenario(
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
  makeCorrectionScenario(
    'a sample alone on its day moves',
    ['steps'],
    [[watch, lateStepsInUtc]],
    [watch, lateStepsInTokyo],
  ),
  makeCorrectionScenario(
    'a night moves with its stages',
    ['asleep', 'deep_sleep'],
    [
      [watch, nightInUtc],
      [watch, stages],
    ],
    [watch, nightInTokyo],
  ),
  makeCorrectionScenario(
    'a better device moves away from the hours of another',
    ['steps'],
    [
      [phone, lateStepsAt('+00:00', 600)],
      [watch, lateStepsAt('+09:00', 20)],
    ],
    [watch, lateStepsAt('-09:00', 20)],
  ),
];
