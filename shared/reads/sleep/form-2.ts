// Renders a page of the sleep list, and the details of one session.

import { unpackStages } from '../../measurements/codec/sleep-stages.ts';
import type { SleepRow } from '../../measurements/rows/session-rows.ts';
import type { Presenter, Renderer } from '../../platform/presenter.ts';
import { formatLocalTime } from '../../platform/time/local-day.ts';
import { presentUnit, presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { presentDevice } from '../kit/source.ts';
import type { SessionsRequest, SessionsResult } from '../sessions/find-sessions.ts';
import { requestedSessions, type SessionsQuery } from '../sessions/requested-sessions.ts';
import { durationInMinutes, presentInstants, roundOrNull } from '../sessions/session-fields.ts';
import type { SleepDetail, SleepList, SleepSamples, SleepSession, SleepStagePeriod } from './form-2-schema.ts';
import type { SleepResult } from './read-sleep.ts';
import type { NightSampleId, SleepSessionResult } from './read-sleep-session.ts';
import { assertFewStages } from './stage-limit.ts';

export interface SleepQuery extends SessionsQuery {
  include_stages?: boolean | undefined;
}

export const form2Sleep: Presenter<
  SleepQuery,
  SessionsRequest,
  SessionsResult<SleepResult>,
  Omit<SleepList, 'next_cursor'>
> = {
  parse: requestedSessions,
  render({ range, zone, sessions }, { include_sources, include_stages }) {
    if (include_stages) assertFewStages(sessions, 'limit');
    return {
      from_date: range.from,
      to_date: range.to,
      data: sessions.map((session) => ({
        ...presentSleep(session, zone, include_sources),
        ...(include_stages ? { stages: presentStages(session.row, zone) } : {}),
      })),
    };
  },
};

export interface SleepSessionQuery {
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form2SleepSession: Renderer<SleepSessionQuery, SleepSessionResult, SleepDetail> = {
  render(session, query) {
    const { row, zone } = session;
    const samplesOf = (metric: NightSampleId): SleepSamples | null => presentSamplesOf(metric, session, query);
    return {
      ...presentSleep(session, zone, query.include_sources),
      stages: presentStages(row, zone),
      heart_rate: samplesOf('heart_rate'),
      heart_rate_variability: samplesOf('heart_rate_variability'),
      heart_rate_variability_rmssd: samplesOf('heart_rate_variability_rmssd'),
      respiratory_rate: samplesOf('respiratory_rate'),
      blood_oxygen: samplesOf('blood_oxygen'),
    };
  },
};

const presentStages = ({ startMs, stages }: SleepRow, zone: string | null): SleepStagePeriod[] | null =>
  stages === undefined
    ? null
    : unpackStages(startMs, stages).map((period) => ({
        stage: period.stage,
        start: formatLocalTime(period.startMs, zone),
        end: formatLocalTime(period.endMs, zone),
      }));

function presentSamplesOf(
  metric: NightSampleId,
  { samples, zone }: SleepSessionResult,
  { unit_system = 'metric' }: SleepSessionQuery,
): SleepSamples | null {
  const found = samples.get(metric);
  if (!found) return null;
  return {
    unit: presentUnit(metric, unit_system),
    step_seconds: found.stepSeconds,
    samples: found.samples.map(({ atMs, value }) => ({
      timestamp: formatLocalTime(atMs, zone),
      value: presentValue(metric, value, unit_system),
    })),
  };
}

function presentSleep(
  { row, date, device, isMainSleep, efficiencyPct }: SleepResult,
  zone: string | null,
  includeSources: boolean,
): SleepSession {
  return {
    id: row.id,
    date,
    start_time: formatLocalTime(row.startMs, zone),
    end_time: formatLocalTime(row.endMs, zone),
    ...presentInstants(row),
    duration_minutes: durationInMinutes(row),
    is_main_sleep: isMainSleep,
    source: device.provider,
    asleep_minutes: roundOrNull(0, row.asleepMinutes),
    deep_minutes: roundOrNull(0, row.deepMinutes),
    light_minutes: roundOrNull(0, row.lightMinutes),
    rem_minutes: roundOrNull(0, row.remMinutes),
    awake_minutes: roundOrNull(0, row.awakeMinutes),
    in_bed_minutes: roundOrNull(0, row.inBedMinutes),
    efficiency_pct: roundOrNull(1, efficiencyPct),
    ...(includeSources ? { source_detail: presentDevice(device) } : {}),
  };
}
