// Samples, packed: one row per metric, UTC day and device. UTC days never move, whatever happens to the user's time zone. Every reader comes here:
// what a phone brought on its current UTC day may stand in `open-samples.ts` instead, and is read as if it were a row.
import * as z from 'zod';
import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { eachWhole, isPart, removeKeys, replaceLarge, whole } from '../../platform/large-items.ts';
import type { Item, Key } from '../../platform/ports.ts';
import { keys, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import { type KeptSample, packSamples, unpackSamples } from '../codec/sample-block.ts';
import { metricAt, type OpenSamples, openSampleRows } from './open-sample-rows.ts';
import { type KeptSampleDay, type SampleDay, sampleDayName } from './sample-day.ts';

const SampleItem = z.object({
  sk: z.string(),
  v: z.instanceof(Uint8Array),
  r: z.number(),
});

interface Wanted {
  device?: number;
  consistent?: boolean;
  /** Where they have been read already. */
  open?: OpenSamples | Promise<OpenSamples>;
}

export const sampleRows = repository((store) => {
  const { table } = store;
  const keyOf = (user: string, day: SampleDay) =>
    keys.samples(user, sampleRow(day.metric).index, day.utcDay, day.device);

  function kept(item: Item): KeptSampleDay {
    const { sk, v, r } = SampleItem.parse(item);
    const [, index, utcDay = '', device] = sk.split('#');
    const metric = metricAt(index);
    return { metric, utcDay, device: Number(device), samples: unpackSamples(metric, utcDay, v), revision: r };
  }

  async function rowsBetween(
    user: string,
    metric: SampleId,
    utcDays: { from: string; to: string },
    { device, consistent = false }: Wanted,
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
  }

  return {
    /** One metric's samples between two UTC days, of every device or one. */
    async between(
      user: string,
      metric: SampleId,
      utcDays: { from: string; to: string },
      wanted: Wanted = {},
    ): Promise<KeptSampleDay[]> {
      const { device, open = openSampleRows(store).read(user, wanted) } = wanted;
      const [rows, opened] = await Promise.all([rowsBetween(user, metric, utcDays, wanted), open]);
      const days = opened
        .days(metric)
        .filter(({ utcDay }) => utcDay >= utcDays.from && utcDay <= utcDays.to)
        .filter((day) => device === undefined || day.device === device);
      return days.length === 0 ? rows : inOrder([...rows, ...withoutRow(rows, days)]);
    },
    /** The first and the last UTC day with samples of a metric, of any device; undefined without any. */
    async extent(
      user: string,
      metric: SampleId,
      open: OpenSamples | Promise<OpenSamples> = openSampleRows(store).read(user, { consistent: true }),
    ): Promise<{ from: string; to: string } | undefined> {
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
      const [first, last, opened] = await Promise.all([end(false), end(true), open]);
      const days = [first, last, ...opened.days(metric).map(({ utcDay }) => utcDay)]
        .filter((day) => day !== undefined)
        .sort();
      const [from, to] = [days[0], days.at(-1)];
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    async *all(user: string): AsyncGenerator<KeptSampleDay> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'T#' },
        consistent: true,
      });
      const rows: SampleDay[] = [];
      // Before the rows: what is closed meanwhile is read as a row.
      const open = await openSampleRows(store).read(user, { consistent: true });
      for await (const item of eachWhole(table, found)) {
        const day = kept(item);
        rows.push(day);
        yield day;
      }
      yield* withoutRow(rows, [...open.all()]);
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
      const own: Key[] = await openSampleRows(store).keysOf(user, device);
      for await (const item of found) {
        const key = z.object({ pk: z.string(), sk: z.string() }).parse(item);
        if (deviceIn(key.sk) === device) own.push(key);
      }
      await removeKeys(table, own);
    },
  };
});

/** A row is complete, whatever stands elsewhere of its day. */
function withoutRow(rows: readonly SampleDay[], days: readonly KeptSampleDay[]): KeptSampleDay[] {
  const known = new Set(rows.map(sampleDayName));
  return days.filter((day) => !known.has(sampleDayName(day)));
}

/** As their keys would be. */
const inOrder = (days: readonly KeptSampleDay[]): KeptSampleDay[] =>
  days.toSorted((a, b) => (`${a.utcDay}#${a.device}` < `${b.utcDay}#${b.device}` ? -1 : 1));

/** Of a part, too. */
const deviceIn = (sk: string): number => Number.parseInt(sk.split('#')[3] ?? '', 10);
