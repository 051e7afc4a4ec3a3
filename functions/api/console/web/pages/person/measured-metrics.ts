// What a range of days has of each metric: its values, who measured them, and its newest value.
import type { components } from '../../api/generated/v1.d.ts';

type Schemas = components['schemas'];
export type PersonDays = Schemas['Daily'];
export type ShownMetric = Schemas['Metric'];

const columnsOf = <Value>(columns: object | undefined, id: string): readonly Value[] =>
  Object.entries(columns ?? {}).find(([name]) => name === id)?.[1] ?? [];

export const valuesOf = (daily: Pick<PersonDays, 'series'>, id: string): readonly (number | null)[] =>
  columnsOf(daily.series, id);

export const sourcesOf = (daily: PersonDays, id: string): readonly (Schemas['SessionSource'] | null)[] =>
  columnsOf(daily.sources, id);

export const listMeasured = (metrics: readonly ShownMetric[], daily: Pick<PersonDays, 'series'>): ShownMetric[] =>
  metrics.filter(({ id }) => valuesOf(daily, id).some((value) => value !== null));

export interface NewestValue {
  metric: ShownMetric;
  date: string;
  value: number;
}

/** The newest value of each metric that has one, in the order of the catalog. */
export const listNewest = (
  metrics: readonly ShownMetric[],
  daily: Pick<PersonDays, 'dates' | 'series'>,
): NewestValue[] =>
  metrics.flatMap((metric) => {
    const values = valuesOf(daily, metric.id);
    const at = values.findLastIndex((value) => value !== null);
    const [date, value] = [daily.dates[at], values[at]];
    return date === undefined || value === null || value === undefined ? [] : [{ metric, date, value }];
  });
