// Rows of what an environment counted in an hour, for 40 days. A row also has the readings at its end,
// from which the next row is computed, so one conditional write stores both.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Environment } from '../system/caller.ts';
import { countKeys } from '../system/count-keys.ts';
import { repository } from '../system/store.ts';
import { Counts, Readings } from './readings.ts';

export const hourMs = 3_600_000;
const retentionMs = 40 * 24 * hourMs;

export const startOfHour = (ms: number): number => Math.floor(ms / hourMs) * hourMs;

const HourlyCountRow = z.object({
  /** The start of the hour. */
  startMs: z.number(),
  /** When the readings were taken: soon after the end of the hour. */
  takenMs: z.number(),
  readings: Readings,
  /** Null where the previous readings are too old or too recent to say what happened in this hour. */
  counts: Counts.nullable(),
  /** The period that the counts are of, in milliseconds, and the limit of the environment's keys. */
  periodMs: z.number(),
  perSecond: z.number(),
});
export type HourlyCountRow = z.infer<typeof HourlyCountRow>;

const Progress = z.object({ startMs: z.number(), after: z.string().nullable() });
/** `after`: the last account that is done; null once all are. */
export type HourlyCountsProgress = z.infer<typeof Progress>;

export const hourlyCountRows = repository(({ table }) => ({
  /** Does nothing if the hour has a row, which another run has written. */
  async insert(account: string, env: Environment, row: HourlyCountRow): Promise<void> {
    await writeConditionally(table, {
      kind: 'put',
      item: {
        ...countKeys.hour(account, env, row.startMs),
        ...row,
        ttl: Math.ceil((row.startMs + retentionMs) / 1000),
      },
      condition: 'attribute_not_exists(#pk)',
    });
  },
  /** The last row of an hour that starts at `startMs` or before. */
  async findLast(account: string, env: Environment, startMs: number): Promise<HourlyCountRow | undefined> {
    const { pk, sk } = countKeys.hour(account, env, startMs);
    const { items } = await table.query({
      where: '#pk = :pk AND #sk <= :last',
      values: { pk, last: sk },
      newestFirst: true,
      limit: 1,
      consistent: true,
    });
    return items[0] && HourlyCountRow.parse(items[0]);
  },
  /** Oldest first. A row is never changed, so an eventually consistent read is enough. */
  async listSince(account: string, env: Environment, fromMs: number): Promise<HourlyCountRow[]> {
    const { pk, sk } = countKeys.hour(account, env, fromMs);
    const rows: HourlyCountRow[] = [];
    const items = table.queryAll({ where: '#pk = :pk AND #sk >= :first', values: { pk, first: sk } });
    for await (const item of items) rows.push(HourlyCountRow.parse(item));
    return rows;
  },
  async findProgress(): Promise<HourlyCountsProgress | undefined> {
    const item = await table.get(countKeys.progress, { consistent: true });
    return item && Progress.parse(item);
  },
  async saveProgress(progress: HourlyCountsProgress): Promise<void> {
    await table.write({ kind: 'put', item: { ...countKeys.progress, ...progress } });
  },
}));
