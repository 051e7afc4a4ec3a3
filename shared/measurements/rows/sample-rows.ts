// Stores packed samples: one row per metric, UTC day and device. UTC days do not move when the
// user's time zone changes. All reads go through this module: samples of a phone's current UTC day
// may be in slots (`open-sample-rows.ts`) and are returned as if they were rows.
import * as z from 'zod';
import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import {
  deleteKeys,
  isChunk,
  iterateChunked,
  readAllChunked,
  readChunked,
  replaceLargeItem,
} from '../../platform/large-items.ts';
import type { Item, Key } from '../../platform/ports.ts';
import { keys, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import { packSamples, type StoredSample, unpackSamples } from '../codec/sample-block.ts';
import { getMetricByIndex, type OpenSamples, openSampleRows } from './open-sample-rows.ts';
import { formatSampleDayId, type SampleDay, type StoredSampleDay } from './sample-day.ts';

const SampleItem = z.object({
  sk: z.string(),
  v: z.instanceof(Uint8Array),
  r: z.number(),
});

interface SampleQuery {
  device?: number;
  consistent?: boolean;
  /** The open samples, if they have already been read. */
  open?: OpenSamples | Promise<OpenSamples>;
  /** Called with each row that was read, earliest day first; returns false to stop reading. */
  onRow?: (day: StoredSampleDay) => boolean;
}

export const sampleRows = repository((store) => {
  const { table } = store;
  const sampleKey = (user: string, day: SampleDay) =>
    keys.samples(user, sampleRow(day.metric).index, day.utcDay, day.device);

  function parseDay(item: Item): StoredSampleDay {
    const { sk, v, r } = SampleItem.parse(item);
    const [, index, utcDay = '', device] = sk.split('#');
    const metric = getMetricByIndex(index);
    return { metric, utcDay, device: Number(device), samples: unpackSamples(metric, utcDay, v), revision: r };
  }

  async function readRows(
    user: string,
    metric: SampleId,
    utcDays: { from: string; to: string },
    { device, consistent = false, onRow }: SampleQuery,
  ): Promise<StoredSampleDay[]> {
    const prefix = `T#${sampleRow(metric).index}#`;
    const days: StoredSampleDay[] = [];
    const foundItems = table.queryAll({
      where: '#pk = :pk AND #sk BETWEEN :from AND :to',
      // The ordinal of the device follows the day; '~' sorts after every digit.
      values: { pk: userPartition(user), from: `${prefix}${utcDays.from}#`, to: `${prefix}${utcDays.to}#~` },
      consistent,
    });
    const suffix = device === undefined ? '' : `#${device}`;
    for await (const item of foundItems) {
      if (isChunk(item['sk']) || !String(item['sk']).endsWith(suffix)) continue;
      const completeItem = await readChunked(table, item);
      if (!completeItem) continue;
      const day = parseDay(completeItem);
      days.push(day);
      if (onRow?.(day) === false) break;
    }
    return days;
  }

  return {
    /** Returns one metric's samples between two UTC days, of one device or of all devices. */
    async readBetween(
      user: string,
      metric: SampleId,
      utcDays: { from: string; to: string },
      query: SampleQuery = {},
    ): Promise<StoredSampleDay[]> {
      const { device, open = openSampleRows(store).read(user, query) } = query;
      const [rows, openSamples] = await Promise.all([readRows(user, metric, utcDays, query), open]);
      const days = openSamples
        .days(metric)
        .filter(({ utcDay }) => utcDay >= utcDays.from && utcDay <= utcDays.to)
        .filter((day) => device === undefined || day.device === device);
      return days.length === 0 ? rows : sortDays([...rows, ...excludeStoredRows(rows, days)]);
    },
    /** Returns one device's samples of several metrics on these UTC days, without those of others. */
    async readOfDevice(
      user: string,
      device: number,
      metrics: readonly SampleId[],
      utcDays: readonly string[],
      open: OpenSamples,
    ): Promise<StoredSampleDay[]> {
      const days = metrics.flatMap((metric) => utcDays.map((utcDay) => ({ metric, utcDay, device })));
      const items = await table.batchGet(days.map((day) => sampleKey(user, day)));
      const rows = (await readAllChunked(table, items)).map(parseDay);
      const openDays = metrics
        .flatMap((metric) => open.days(metric))
        .filter((day) => day.device === device && utcDays.includes(day.utcDay));
      return [...rows, ...excludeStoredRows(rows, openDays)];
    },
    /**
     * Returns the first and the last UTC day with samples of a metric, of any device; undefined if
     * there are none.
     */
    async findRange(
      user: string,
      metric: SampleId,
      open: OpenSamples | Promise<OpenSamples> = openSampleRows(store).read(user, { consistent: true }),
    ): Promise<{ from: string; to: string } | undefined> {
      const findEndDay = async (newestFirst: boolean) => {
        const { items } = await table.query({
          where: '#pk = :pk AND begins_with(#sk, :prefix)',
          values: { pk: userPartition(user), prefix: `T#${sampleRow(metric).index}#` },
          limit: 1,
          newestFirst,
          consistent: true,
        });
        return items.map(({ sk }) => String(sk).split('#')[2])[0];
      };
      const [first, last, openSamples] = await Promise.all([findEndDay(false), findEndDay(true), open]);
      const days = [first, last, ...openSamples.days(metric).map(({ utcDay }) => utcDay)]
        .filter((day) => day !== undefined)
        .sort();
      const [from, to] = [days[0], days.at(-1)];
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    async *iterateAll(user: string): AsyncGenerator<StoredSampleDay> {
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'T#' },
        consistent: true,
      });
      const rows: SampleDay[] = [];
      // Read before the rows: a day that is closed in the meantime is then read as a row.
      const open = await openSampleRows(store).read(user, { consistent: true });
      for await (const item of iterateChunked(table, foundItems)) {
        const day = parseDay(item);
        rows.push(day);
        yield day;
      }
      yield* excludeStoredRows(rows, [...open.all()]);
    },
    /** Returns false if the row has changed since `revision` was read (0: there was none). */
    async replace(user: string, day: SampleDay, samples: readonly StoredSample[], revision: number): Promise<boolean> {
      const item = { ...sampleKey(user, day), v: packSamples(day.metric, day.utcDay, samples), r: revision + 1 };
      return replaceLargeItem(table, item, {
        condition: revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision },
      });
    },
    /** Deletes all samples of a device. */
    async removeByDevice(user: string, device: number): Promise<void> {
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'T#' },
        consistent: true,
        only: ['pk', 'sk'],
      });
      const ownKeys: Key[] = await openSampleRows(store).listKeys(user, device);
      for await (const item of foundItems) {
        const key = z.object({ pk: z.string(), sk: z.string() }).parse(item);
        if (parseDevice(key.sk) === device) ownKeys.push(key);
      }
      await deleteKeys(table, ownKeys);
    },
  };
});

/** A row is complete, so open samples of the same day and metric are ignored. */
function excludeStoredRows(rows: readonly SampleDay[], days: readonly StoredSampleDay[]): StoredSampleDay[] {
  const storedIds = new Set(rows.map(formatSampleDayId));
  return days.filter((day) => !storedIds.has(formatSampleDayId(day)));
}

/** Sorts in key order. */
const sortDays = (days: readonly StoredSampleDay[]): StoredSampleDay[] =>
  days.toSorted((a, b) => (`${a.utcDay}#${a.device}` < `${b.utcDay}#${b.device}` ? -1 : 1));

/** Also accepts the key of a chunk. */
const parseDevice = (sk: string): number => Number.parseInt(sk.split('#')[3] ?? '', 10);
