// Google Health's nights and naps, made from their stages: the summary may repeat itself.
import * as z from 'zod';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { GoogleInstant, GoogleInterval, GoogleNumber, googleValues, latestPoints, offsetOf } from './points.ts';

const Stage = z.looseObject({ startTime: GoogleInstant, endTime: GoogleInstant, type: z.string() });
const Sleep = z.looseObject({
  interval: GoogleInterval,
  stages: z.array(z.unknown()).nullish().catch(null),
  summary: z.looseObject({ minutesAsleep: GoogleNumber, minutesAwake: GoogleNumber }).nullish().catch(null),
  updateTime: GoogleInstant.nullish().catch(null),
});
type Sleep = z.infer<typeof Sleep>;

const sum = (minutes: readonly Maybe[]): number | null => {
  const known = minutes.filter((each) => typeof each === 'number');
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
};

function minutesOf({ stages, summary }: Sleep) {
  const byType = new Map<string, number>();
  for (const given of stages ?? []) {
    const { type, startTime, endTime } = Stage.safeParse(given).data ?? {};
    if (type === undefined || startTime === undefined || endTime === undefined) continue;
    byType.set(type, (byType.get(type) ?? 0) + (endTime - startTime) / 60_000);
  }
  const of = (...types: string[]): number | null => sum(types.map((type) => byType.get(type)));
  // Where there are stages, a kind that is not among them did not happen.
  const isStaged = of('LIGHT', 'DEEP', 'REM') !== null;
  const stage = (type: string): number | null => (isStaged ? (of(type) ?? 0) : null);
  // Before a night is worked out its summary has zeros.
  const stated = summary?.minutesAsleep ? summary : null;
  return {
    asleepMinutes: of('LIGHT', 'DEEP', 'REM', 'ASLEEP') ?? stated?.minutesAsleep ?? null,
    awakeMinutes: of('AWAKE', 'RESTLESS') ?? (byType.size > 0 ? 0 : (stated?.minutesAwake ?? null)),
    lightMinutes: stage('LIGHT'),
    deepMinutes: stage('DEEP'),
    remMinutes: stage('REM'),
  };
}

export function gatherGoogleSleep(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const points = latestPoints(googleValues(gathering, pages, { resource: 'sleep', schema: Sleep }));
  for (const { path, id, value } of points) {
    const { startTime, endTime, startUtcOffset, endUtcOffset } = value.interval;
    const offsetMinutes = offsetOf(endUtcOffset ?? startUtcOffset);
    if (!days.holdsInstant(endTime)) continue;
    gathering.sleep(path, {
      startMs: startTime,
      endMs: endTime,
      offsetMinutes,
      inBedMinutes: (endTime - startTime) / 60_000,
      ...minutesOf(value),
      ...(id === undefined ? {} : { sourceId: id }),
    });
  }
}
