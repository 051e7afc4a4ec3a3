// Checks of a user with any data: that the explanation of every value states the stored value, and
// that a preview of new settings is what the days become.
import { type MetricId, metricIds, metricRow, round } from '../../shared/catalog/metrics.ts';
import { adjacentDates, findOverlappingRows } from '../../shared/consolidation/adjacent-days.ts';
import type { ConsolidationPatch } from '../../shared/consolidation/consolidation.ts';
import { explainValue } from '../../shared/consolidation/explain-value.ts';
import { unpackCanonicalRow } from '../../shared/measurements/codec/canonical-day.ts';
import { unpackNormalizedRows } from '../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { datesInRange } from '../../shared/platform/time/local-day.ts';
import { readPreview } from '../../shared/reads/consolidation-preview/read-preview.ts';
import { collectByDate } from '../../shared/reads/daily/daily-columns.ts';
import { devicesWithData, readUserContext, toRankedDevice } from '../../shared/users/user-context.ts';
import { explanationProblems } from '../unit/consolidation/explanation-problems.ts';
import type { System } from './system.ts';

export interface UserToCheck {
  system: System;
  key: string;
  userId: string;
  from: string;
  to: string;
  /** Chooses what is tried over HTTP. */
  seed: number;
  /** The providers that are connected to the user. */
  providers: readonly string[];
}

interface Mismatch {
  where: string;
  got: unknown;
  expected: unknown;
}

export async function checkExplanations(user: UserToCheck): Promise<Mismatch[]> {
  const { system, userId } = user;
  const { deps } = system.host;
  const userContext = await readUserContext(deps, userId);
  if (!userContext) throw new Error(`there is no user ${userId}`);
  const [from, to] = [adjacentDates(user.from)[0] ?? '', adjacentDates(user.to).at(-1) ?? ''];
  const [normalized, canonical] = await Promise.all([
    collectByDate(dayRows(deps.store).iterateNormalized(userId, from, to)),
    collectByDate(dayRows(deps.store).iterateCanonical(userId, from, to, { consistent: true })),
  ]);
  const devices = devicesWithData(userContext.devices).map(toRankedDevice);
  const mismatches: Mismatch[] = [];
  for (const [at, date] of datesInRange(user.from, user.to).entries()) {
    const packed = normalized.get(date)?.packed;
    const rows = packed ? unpackNormalizedRows(packed) : [];
    const adjacentDays = adjacentDates(date).flatMap((other) => normalized.get(other)?.packed ?? []);
    const adjacentRows = findOverlappingRows(rows, adjacentDays, (bytes) => unpackNormalizedRows(bytes));
    const stored = canonical.get(date);
    const { values, sources } = stored ? unpackCanonicalRow(stored.packed) : { values: [], sources: [] };
    const storedValue = (metric: MetricId): number | null => {
      const value = values[metricRow(metric).index] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    };
    for (const metric of metricIds) {
      const where = `the explanation of ${metric} on ${date}`;
      const { settings } = userContext.state;
      const explained = explainValue(metric, { devices, settings, rows, adjacentRows });
      const value = storedValue(metric);
      const source = value === null ? null : sources[metricRow(metric).index];
      if (explained.value !== value || explained.source !== source)
        mismatches.push({ where, got: [explained.value, explained.source], expected: [value, source] });
      const problems = explanationProblems(metric, explained);
      if (problems.length > 0) mismatches.push({ where, got: problems, expected: [] });
    }
    const reported = metricIds.filter((id) => rows.some((row) => !Number.isNaN(row.values[metricRow(id).index])));
    const metric = reported[(user.seed + at) % Math.max(1, reported.length)] ?? 'steps';
    mismatches.push(...(await checkResponse(user, date, metric, storedValue(metric))));
  }
  return mismatches;
}

async function checkResponse(
  { system, key, userId }: UserToCheck,
  date: string,
  metric: MetricId,
  value: number | null,
): Promise<Mismatch[]> {
  const path = `/v1/users/${userId}/daily/${date}/${metric}/explanation`;
  const { body, text } = await system.call('GET', path, { token: key });
  const expected = value === null ? null : round(metric, value);
  const got = [body.data?.value, body.data?.explained_value, body.data?.pending];
  if (got[0] === expected && got[1] === expected && got[2] === false) return [];
  return [{ where: `GET ${path}`, got: text, expected: [expected, expected, false] }];
}

/** Applies to every user: methods of all kinds, and one provider switched off. */
const buildPatch = ({ providers, seed }: UserToCheck): ConsolidationPatch => {
  const provider = providers[seed % Math.max(1, providers.length)];
  return {
    metrics: {
      steps: { method: seed % 2 === 0 ? 'max' : 'priority' },
      distance: { method: 'sum' },
      active_calories: { method: 'avg', ...(provider ? { providers: { [provider]: false } } : {}) },
      flights_climbed: { method: null },
      heart_rate: { method: 'max' },
      weight: { method: 'avg' },
      sleep: { method: seed % 2 === 0 ? 'avg' : 'max' },
      blood_pressure: { method: 'max' },
    },
    ...(provider && seed % 3 === 0 ? { providers: { [provider]: false } } : {}),
  };
};

/** Changes the user's settings. `settle` waits until the days are rebuilt. */
export async function checkPreview(checked: UserToCheck, settle: () => Promise<void>): Promise<Mismatch[]> {
  const { system, key, userId, from, to } = checked;
  const { deps } = system.host;
  const patch = buildPatch(checked);
  const user = (await readUserContext(deps, userId))?.user;
  if (!user) throw new Error(`there is no user ${userId}`);
  const range = { from, to, names: { from: 'from', to: 'to' }, maxDays: 366 };
  const caller = { kind: 'api_key', account: user.account, env: user.env, form: 2 } as const;
  const preview = await readPreview(deps, caller, userId, { patch, range });
  const daily = async (): Promise<Record<string, (number | null)[]>> => {
    const path = `/v1/users/${userId}/daily?from_date=${from}&to_date=${to}`;
    return (await system.call('GET', path, { token: key })).body.series;
  };
  const before = await daily();
  const saved = await system.call('PATCH', `/v1/users/${userId}/consolidation`, { token: key, body: patch });
  if (saved.status !== 202) throw new Error(`the settings were rejected: ${saved.text}`);
  await settle();
  const after = await daily();
  return preview.metrics.flatMap((column): Mismatch[] => {
    const render = (values: Float64Array) =>
      Array.from(values, (value) => (Number.isNaN(value) ? null : round(column.metric, value)));
    const got = [render(column.before), render(column.after)];
    const expected = [before[column.metric], after[column.metric]];
    return JSON.stringify(got) === JSON.stringify(expected)
      ? []
      : [{ where: `the preview of ${column.metric}`, got, expected }];
  });
}
