// Google Health's nights and naps, computed from their stages, because the summary may contain
// duplicates.
import * as z from 'zod';
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { NightStage, OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import {
  GoogleInstant,
  GoogleInterval,
  GoogleNumber,
  googleOffsetMinutes,
  keepLatestPoints,
  readGoogleValues,
} from './points.ts';

const Stage = z.looseObject({ startTime: GoogleInstant, endTime: GoogleInstant, type: z.string() });
const Sleep = z.looseObject({
  interval: GoogleInterval,
  stages: z.array(z.unknown()).nullish().catch(null),
  summary: z.looseObject({ minutesAsleep: GoogleNumber, minutesAwake: GoogleNumber }).nullish().catch(null),
  updateTime: GoogleInstant.nullish().catch(null),
});
type Sleep = z.infer<typeof Sleep>;

const sumOrNull = (minutes: readonly OptionalNumber[]): number | null => {
  const numbers = minutes.filter((each) => typeof each === 'number');
  return numbers.length === 0 ? null : numbers.reduce((total, each) => total + each, 0);
};

const stageByType: ReadonlyMap<string, SleepStage> = new Map([
  ['AWAKE', 'awake'],
  ['LIGHT', 'light'],
  ['DEEP', 'deep'],
  ['REM', 'rem'],
  ['ASLEEP', 'asleep'],
  ['RESTLESS', 'awake'],
]);

/** Any other type becomes `unknown`. */
function readStages(builder: RecordBuilder, path: string, { stages }: Sleep): NightStage[] {
  return (stages ?? []).flatMap((rawStage, at): NightStage[] => {
    const stagePath = `${path}.stages.${at}`;
    const stage = Stage.safeParse(rawStage).data;
    if (!stage) {
      builder.reject(stagePath, 'implausible_value', 'A stage must have a type, a start and an end.');
      return [];
    }
    const { type, startTime: startMs, endTime: endMs } = stage;
    return [{ path: stagePath, stage: stageByType.get(type) ?? 'unknown', startMs, endMs }];
  });
}

function readMinutes({ stages, summary }: Sleep) {
  const byType = new Map<string, number>();
  for (const rawStage of stages ?? []) {
    const { type, startTime, endTime } = Stage.safeParse(rawStage).data ?? {};
    if (type === undefined || startTime === undefined || endTime === undefined) continue;
    byType.set(type, (byType.get(type) ?? 0) + (endTime - startTime) / 60_000);
  }
  const minutesIn = (...types: string[]): number | null => sumOrNull(types.map((type) => byType.get(type)));
  // If there are stages, a stage type that is missing lasted zero minutes.
  const hasStages = minutesIn('LIGHT', 'DEEP', 'REM') !== null;
  const stageMinutes = (type: string): number | null => (hasStages ? (minutesIn(type) ?? 0) : null);
  // Until Google has processed a night, its summary contains zeros.
  const validSummary = summary?.minutesAsleep ? summary : null;
  return {
    asleepMinutes: minutesIn('LIGHT', 'DEEP', 'REM', 'ASLEEP') ?? validSummary?.minutesAsleep ?? null,
    awakeMinutes: minutesIn('AWAKE', 'RESTLESS') ?? (byType.size > 0 ? 0 : (validSummary?.minutesAwake ?? null)),
    lightMinutes: stageMinutes('LIGHT'),
    deepMinutes: stageMinutes('DEEP'),
    remMinutes: stageMinutes('REM'),
  };
}

export function addGoogleSleep(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const points = keepLatestPoints(readGoogleValues(builder, pages, { resource: 'sleep', schema: Sleep }));
  for (const { path, id, value } of points) {
    const { startTime, endTime, startUtcOffset, endUtcOffset } = value.interval;
    const offsetMinutes = googleOffsetMinutes(endUtcOffset ?? startUtcOffset);
    if (!days.includesInstant(endTime)) continue;
    builder.addSleep(path, {
      startMs: startTime,
      endMs: endTime,
      offsetMinutes,
      inBedMinutes: (endTime - startTime) / 60_000,
      ...readMinutes(value),
      stages: readStages(builder, path, value),
      ...(id === undefined ? {} : { sourceId: id }),
    });
  }
}
