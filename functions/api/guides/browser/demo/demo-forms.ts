// How the demo requests accounts of either form, and converts both responses to one shape: users by
// reference, and days in columns.
import type { ScoreId } from '../../../../../shared/catalog/score-ids.ts';
import type { DailyRow, DailyRows } from '../../../../../shared/reads/daily/form-1-schema.ts';
import type { CurrentScore, CurrentScores, ExplainedFactor } from '../../../../../shared/reads/scores/form-2-schema.ts';
import type { ApiForm } from '../../../../../shared/system/caller.ts';
import type { FlatUser, UserEnvelope, UserOffsetPage } from '../../../../../shared/users/form-1-schema.ts';
import type { ApiSchemas } from '../../../docs-kit/browser/api-response.ts';
import type { DemoMetric } from './demo-metrics.ts';

export type DemoUser = Pick<ApiSchemas['User'], 'id' | 'external_ref' | 'timezone' | 'last_sync_at' | 'last_score_at'>;

export type UserBody = ApiSchemas['User'] | FlatUser | UserEnvelope;
export type UserList = ApiSchemas['UserPage'] | UserOffsetPage;

interface DateColumns {
  from_date: string;
  to_date: string;
  dates: string[];
}

export interface DemoDaily extends DateColumns {
  series: Partial<Record<DemoMetric, (number | null)[]>>;
  sources?: Partial<Record<DemoMetric, ({ provider: string } | null)[]>>;
}

export interface DemoScores extends DateColumns {
  latest: Partial<Record<ScoreId, ApiSchemas['LatestScore'] | null>>;
  factors?: Partial<Record<ScoreId, (ExplainedFactor[] | null)[]>>;
}

export interface DemoDays {
  daily: DemoDaily;
  scores: DemoScores;
  history: ApiSchemas['ScoreHistoryRow'][];
}

export interface DemoRange {
  first: string;
  today: string;
  metrics: readonly DemoMetric[];
}

/** Reads a path below the user's. */
type ReadOfUser = <Body>(path: string) => Promise<Body>;

interface DemoForm {
  buildSearchPath(reference: string): string;
  readDemoDays(read: ReadOfUser, range: DemoRange): Promise<DemoDays>;
}

/**
 * The list of users reveals the form of a key's account. Without parameters, both forms accept the
 * request.
 */
export const detectForm = (list: UserList): ApiForm => ('meta' in list ? 1 : 2);

export function toDemoUser(body: UserBody): DemoUser {
  const user = 'data' in body ? body.data : body;
  const { id, timezone, last_sync_at, last_score_at } = user;
  const external_ref = 'reference_id' in user ? user.reference_id : user.external_ref;
  return { id, external_ref, timezone, last_sync_at, last_score_at };
}

export const demoForms: Readonly<Record<ApiForm, DemoForm>> = {
  1: {
    buildSearchPath: (reference) => `v1/users?reference_id=${encodeURIComponent(reference)}`,
    async readDemoDays(read, { first, today, metrics }) {
      const range = `start_date=${first}&end_date=${today}`;
      const [rows, current, history] = await Promise.all([
        read<DailyRows>(`daily?metrics=${metrics}&${range}&include_sources=true`),
        read<CurrentScores>('scores'),
        read<ApiSchemas['ScoreHistory']>(`scores/history?${range}&include_missing=true`),
      ]);
      const dates = listDates(first, today);
      return {
        daily: buildDailyColumns(rows.data, metrics, dates),
        scores: buildScoreColumns(current.data, history.data, dates),
        history: history.data,
      };
    },
  },
  2: {
    buildSearchPath: (reference) => `v1/users?external_ref=${encodeURIComponent(reference)}`,
    async readDemoDays(read, { first, today, metrics }) {
      const range = `from_date=${first}&to_date=${today}`;
      const [daily, scores, history] = await Promise.all([
        read<ApiSchemas['Daily']>(`daily?types=${metrics}&${range}&include_sources=true`),
        read<ApiSchemas['ScoreColumns']>(`scores?${range}&include_factors=true`),
        read<ApiSchemas['ScoreHistory']>(`scores/history?start_date=${first}&end_date=${today}&include_missing=true`),
      ]);
      return { daily, scores, history: history.data };
    },
  },
};

const dayMs = 86_400_000;

export function listDates(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;
  return Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(first) + day * dayMs).toISOString().slice(0, 10),
  );
}

const buildDates = (dates: string[]): DateColumns => ({
  from_date: dates[0] ?? '',
  to_date: dates.at(-1) ?? '',
  dates,
});

function buildDailyColumns(rows: readonly DailyRow[], metrics: readonly DemoMetric[], dates: string[]): DemoDaily {
  const rowsByKey = new Map(rows.map((row) => [`${row.metric} ${row.date}`, row]));
  const buildColumns = <Value>(pick: (row: DailyRow | undefined) => Value) =>
    Object.fromEntries(
      metrics.map((metric) => [metric, dates.map((date) => pick(rowsByKey.get(`${metric} ${date}`)))]),
    );
  return {
    ...buildDates(dates),
    series: buildColumns((row) => row?.value ?? null),
    sources: buildColumns((row) => row?.source ?? null),
  };
}

/** Includes the factors of the newest value only, because the page shows no others. */
function buildScoreColumns(
  current: readonly CurrentScore[],
  history: readonly ApiSchemas['ScoreHistoryRow'][],
  dates: string[],
): DemoScores {
  const scores: Required<Pick<DemoScores, 'latest' | 'factors'>> = { latest: {}, factors: {} };
  for (const [id, rows] of Map.groupBy(history, ({ type }) => type)) {
    const rowsByDate = new Map(rows.filter(({ value }) => value !== null).map((row) => [row.date, row]));
    const index = dates.findLastIndex((date) => rowsByDate.has(date));
    const newestDate = dates[index];
    scores.latest[id] = toLatestScore(
      rowsByDate.get(newestDate ?? ''),
      rowsByDate.get(dates[index - 1] ?? '')?.value ?? null,
    );
    const newest = current.find(({ type, date }) => type === id && date === newestDate);
    scores.factors[id] = dates.map((date) => (date === newest?.date ? (newest?.factors ?? null) : null));
  }
  return { ...buildDates(dates), ...scores };
}

/** Null if the row has no value. */
function toLatestScore(
  row: ApiSchemas['ScoreHistoryRow'] | undefined,
  previous_value: number | null,
): ApiSchemas['LatestScore'] | null {
  if (!row) return null;
  const { better, confidence, date, formula, status, value } = row;
  if (value === null || confidence === null || formula === null) return null;
  if (status !== 'ready' && status !== 'provisional') return null;
  return { better, confidence, date, formula, previous_value, status, value };
}
