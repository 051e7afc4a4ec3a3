// Samples, packed: one item per metric, UTC day and device. UTC days never move, whatever happens to the user's time zone.
import * as z from 'zod';
import type { Item, Key } from '../engine/ports.ts';
import { metricTable, sampledScores } from '../model/metric-table.ts';
import type { SampleId } from '../model/metrics.ts';
import { sampleRow } from '../model/metrics.ts';
import { type KeptSample, packSamples, unpackSamples } from './codec/sample-block.ts';
import { keys, userPartition } from './keys.ts';
import { eachWhole, isPart, removeKeys, replaceLarge, whole } from './large-items.ts';
import { repository } from './store.ts';

export interface SampleDay {
  metric: SampleId;
  utcDay: string;
  /** The device's ordinal. */
  device: number;
}
export interface KeptSampleDay extends SampleDay {
  samples: KeptSample[];
  revision: number;
}

const SampleItem = z.object({
  sk: z.string(),
  v: z.instanceof(Uint8Array),
  r: z.number(),
});
const metricByIndex = new Map<number, SampleId>([...metricTable, ...sampledScores].map(({ index, id }) => [index, id]));

export const sampleDayName = ({ metric, utcDay, device }: SampleDay): string => `${metric}#${utcDay}#${device}`;

export const sampleRows = repository(({ table }) => {
  const keyOf = (user: string, day: SampleDay) =>
    keys.samples(user, sampleRow(day.metric).index, day.utcDay, day.device);

  function kept(item: Item): KeptSampleDay {
    const { sk, v, r } = SampleItem.parse(item);
    const [, index, utcDay = '', device] = sk.split('#');
    const metric = metricByIndex.get(Number(index));
    if (!metric) throw new Error(`samples of a metric with index ${index}, which this release does not know`);
    return { metric, utcDay, device: Number(device), samples: unpackSamples(metric, utcDay, v), revision: r };
  }

  return {
    /** One metric's samples between two UTC days, of every device or one. */
    async between(
      user: string,
      metric: SampleId,
      utcDays: { from: string; to: string },
      { device, consistent = false }: { device?: number; consistent?: boolean } = {},
    ): Promise<KeptSampleDay[]> {
      const prefix = `T#${sampleRow(metric).index}#`;
      const days: KeptSampleDay[] = [];
      const found = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :from AND :to',
        // A device's ordinal follows the day; '~' sorts after every digit.
        values: { pk: userPartition(user), from: `${prefix}${utcDays.from}#`, to: `${prefix}${utcDays.to}#~` },
        consistent,
      });
      const suffix = device === undefined ? '' : `#${device}`;
      for await (const item of found) {
        if (isPart(item['sk']) || !String(item['sk']).endsWith(suffix)) continue;
        const all = await whole(table, item);
        if (all) days.push(kept(all));
      }
      return days;
    },
    /** The first and the last UTC day with samples of a metric, of any device; undefined without any. */
    async extent(user: string, metric: SampleId): Promise<{ from: string; to: string } | undefined> {
      const end = async (newestFirst: boolean) => {
        const { items } = await table.query({
          where: '#pk = :pk AND begins_with(#sk, :prefix)',
          values: { pk: userPartition(user), prefix: `T#${sampleRow(metric).index}#` },
          limit: 1,
          newestFirst,
          consistent: true,
        });
        return items.map(({ sk }) => String(sk).split('#')[2])[0];
      };
      const [from, to] = await Promise.all([end(false), end(true)]);
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    async *all(user: string): AsyncGenerator<KeptSampleDay> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'T#' },
        consistent: true,
      });
      for await (const item of eachWhole(table, found)) yield kept(item);
    },
    /** False when somebody else changed them since `revision` was read (0: there were none). */
    async replace(user: string, day: SampleDay, samples: readonly KeptSample[], revision: number): Promise<boolean> {
      const item = { ...keyOf(user, day), v: packSamples(day.metric, day.utcDay, samples), r: revision + 1 };
      return replaceLarge(table, item, {
        condition: revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision },
      });
    },
    /** Everything that is kept of a device. */
    async removeAll(user: string, device: number): Promise<void> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'T#' },
        consistent: true,
        only: ['pk', 'sk'],
      });
      const own: Key[] = [];
      for await (const item of found) {
        const key = z.object({ pk: z.string(), sk: z.string() }).parse(item);
        if (deviceIn(key.sk) === device) own.push(key);
      }
      await removeKeys(table, own);
    },
  };
});

/** Of a part, too. */
const deviceIn = (sk: string): number => Number.parseInt(sk.split('#')[3] ?? '', 10);
