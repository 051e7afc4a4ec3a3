// Uploads that remove the only records of a day, while the writer crashes or is overtaken.
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

/** The profile's time zone determines on which day it ends, regardless of the phone's. */
const nightFrom = (time_zone: string, end: string): RecordLists => ({
  time_zone,
  sleep: [{ start: '2026-03-10T05:00:00Z', end, asleep_minutes: 300 }],
});

export const correctionScenarios: readonly Scenario[] = [
  {
    ...makeCorrectionScenario(
      'a night is extended into the next day after the phone has traveled',
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
    'the only sample of a day moves',
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
    'samples of a higher-ranked device move away from those of another',
    ['steps'],
    [
      [phone, lateStepsAt('+00:00', 600)],
      [watch, lateStepsAt('+09:00', 20)],
    ],
    [watch, lateStepsAt('-09:00', 20)],
  ),
];
