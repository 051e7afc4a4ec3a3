// Stores the samples of a phone's current UTC day: one item per four hours with every metric,
// because a sync brings a few samples of many metrics. They become one row per metric
// (`sample-rows.ts`) when samples of a later day arrive. If a metric has a row for a day, that row
// is complete, and the slots of that day are ignored for the metric.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { metricTable, sampledScores } from '../../catalog/metric-table.ts';
import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { writeConditionally } from '../../platform/conditional-write.ts';
import type { Item, Key } from '../../platform/ports.ts';
import { closedSamplesSuffix, keys, openSamplesPrefix, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import { packSamples, type StoredSample, unpackSamples } from '../codec/sample-block.ts';
import type { Span } from '../timeline.ts';
import {
  addCopyToSummary,
  addRowsToSummary,
  ClosedSamples,
  mayExistInRows,
  mayHaveRows,
  noClosedSamples,
  removeCopyFromSummary,
} from './closed-samples.ts';
import { formatSampleDayId, type StoredSampleDay } from './sample-day.ts';

/**
 * With shorter slots a sync writes more of them; with longer slots an item exceeds one write unit.
 */
const slotMs = 4 * 3_600_000;
const slotsPerDay = 86_400_000 / slotMs;
/** A DynamoDB item is limited to 400 KB, including attribute names and keys. */
const maxBytes = 350_000;

export interface OpenSlot {
  device: number;
  /**
   * Consecutive open days alternate between two halves, so that the samples of the closed day
   * remain for readers of stale rows.
   */
  half: number;
  slot: number;
  utcDay: string;
  /** Packed samples, keyed by metric index. */
  blocks: Record<string, Uint8Array>;
  revision: number;
}

const SlotItem = z.object({
  sk: z.string(),
  d: z.string(),
  v: z.record(z.string(), z.instanceof(Uint8Array)),
  r: z.number(),
});
const metricByIndex = new Map<number, SampleId>([...metricTable, ...sampledScores].map(({ index, id }) => [index, id]));

export function getMetricByIndex(index: number | string | undefined): SampleId {
  const metric = metricByIndex.get(Number(index));
  if (!metric) throw new Error(`samples have metric index ${index}, which this release does not know`);
  return metric;
}

/** The summary of a phone's rows, as read from the table or about to be written. */
export interface RowSummary {
  device: number;
  closed: ClosedSamples;
  revision: number;
}

/** The writes that store changed days, in the order of execution. */
export interface SampleWrites {
  /** Slots of the day that is being closed, completed with its last samples. */
  completedSlots: OpenSlot[];
  /** The changed summary of rows; empty when it does not change. */
  summaries: RowSummary[];
  rows: StoredSampleDay[];
  /**
   * Complete days that leave their slots before another day is opened there. Existing rows stay
   * unchanged.
   */
  closedDays: StoredSampleDay[];
  slots: OpenSlot[];
}

const noWrites: SampleWrites = { completedSlots: [], summaries: [], rows: [], closedDays: [], slots: [] };

export class OpenSamples {
  readonly #slots: readonly OpenSlot[];
  readonly #summaries: readonly RowSummary[];

  /** The slots must be in key order. */
  constructor(slots: readonly OpenSlot[], known: readonly RowSummary[] = []) {
    this.#slots = slots;
    this.#summaries = known;
  }

  /** Returns the days of a metric that have samples in slots. */
  days(metric: SampleId): StoredSampleDay[] {
    const index = String(sampleRow(metric).index);
    const days = new Map<string, StoredSampleDay>();
    for (const { device, utcDay, blocks } of this.#slots) {
      const block = blocks[index];
      if (!block) continue;
      const day = days.get(`${utcDay}#${device}`) ?? { metric, utcDay, device, samples: [], revision: 0 };
      days.set(`${utcDay}#${device}`, day);
      for (const sample of unpackSamples(metric, utcDay, block)) day.samples.push(sample);
    }
    return [...days.values()];
  }

  *all(): Generator<StoredSampleDay> {
    const indexes = new Set(this.#slots.flatMap(({ blocks }) => Object.keys(blocks)));
    for (const index of indexes) yield* this.days(getMetricByIndex(index));
  }

  /**
   * Returns the days of a phone's metric whose samples are all in slots; undefined when rows may
   * hold samples that start in these spans or extend into them.
   */
  findSlotOnlyDays(device: number, metric: SampleId, spans: readonly Span[]): StoredSampleDay[] | undefined {
    const { closed } = this.#findSummary(device);
    if (spans.some((span) => mayExistInRows(closed, span))) return undefined;
    const days = this.days(metric).filter((day) => day.device === device);
    const { stale = [], current = [] } = Object.groupBy(days, ({ utcDay }) =>
      mayHaveRows(closed, utcDay) ? 'stale' : 'current',
    );
    // A day that is opened after it has rows is in slots although it may also be in rows.
    return stale.some((day) => spans.some((span) => reachesInto(day, span))) ? undefined : current;
  }

  /** Whether a phone may have rows for that day. A change to the day must then read them first. */
  hasRows = (device: number, utcDay: string): boolean => utcDay <= this.#findSummary(device).closed.through;

  /**
   * Decides where a phone's changed days are stored. Changed days without a row stay in slots if
   * they belong to the open day and fit; everything else becomes rows. Only the newest day in slots
   * is open. It stays open until samples of `today` arrive, and no earlier day is opened again.
   */
  planWrites(device: number, changed: readonly StoredSampleDay[], today: string): SampleWrites {
    const newest = this.#findNewest(device);
    if (newest && newest.utcDay > today) return this.#planRows(device, changed);
    const isNew = newest?.utcDay !== today && changed.some((day) => day.revision === 0 && day.utcDay === today);
    const openDay = isNew ? today : newest?.utcDay;
    const isOpen = (day: StoredSampleDay): boolean => day.revision === 0 && day.utcDay === openDay;
    const { open = [], rows = [] } = Object.groupBy(changed, (day) => (isOpen(day) ? 'open' : 'rows'));
    if (openDay === undefined || open.length === 0) return this.#planRows(device, rows);
    const half = newest === undefined ? 0 : isNew ? 1 - newest.half : newest.half;
    const slots = this.#buildChangedSlots({ device, half, utcDay: openDay }, open);
    if (slots.some(isTooLarge)) return this.#planRows(device, changed);
    return { ...(isNew && newest ? this.#planClose(newest, rows) : this.#planRows(device, rows)), slots };
  }

  #planRows(device: number, rows: readonly StoredSampleDay[]): SampleWrites {
    const before = this.#findSummary(device);
    return {
      ...noWrites,
      rows: [...rows],
      summaries: listChangedSummaries(before, addRowsToSummary(before.closed, rows)),
    };
  }

  /** Closes the open day: its samples become rows, together with `rows`. */
  #planClose(newest: OpenSlot, rows: readonly StoredSampleDay[]): SampleWrites {
    const { device, utcDay } = newest;
    const before = this.#findSummary(device);
    const closedDays = this.#listClosingDays(newest, rows);
    const { own = [], others = [] } = Object.groupBy(rows, (row) => (row.utcDay === utcDay ? 'own' : 'others'));
    const completedSlots = this.#buildChangedSlots(newest, own);
    const isOnlyInSlots =
      utcDay > before.closed.through || (own.length === 0 && before.closed.copied?.utcDay === utcDay);
    if (!isOnlyInSlots || completedSlots.some(isTooLarge)) {
      // The new day reuses the slots of the previously copied day.
      const closed = addRowsToSummary(removeCopyFromSummary(before.closed), [...rows, ...closedDays]);
      return { ...noWrites, rows: [...rows], closedDays, summaries: listChangedSummaries(before, closed) };
    }
    const days = [...own, ...closedDays];
    const closed = addCopyToSummary(addRowsToSummary(before.closed, others), utcDay, days);
    return {
      ...noWrites,
      completedSlots,
      summaries: listChangedSummaries(before, closed),
      rows: others,
      closedDays: days,
    };
  }

  #findSummary = (device: number): RowSummary =>
    this.#summaries.find((known) => known.device === device) ?? { device, closed: noClosedSamples, revision: 0 };

  #findNewest(device: number): OpenSlot | undefined {
    const own = this.#slots.filter((slot) => slot.device === device);
    return own.reduce<OpenSlot | undefined>(
      (last, slot) => (last && last.utcDay >= slot.utcDay ? last : slot),
      undefined,
    );
  }

  /** Excludes the days that are already written as rows. */
  #listClosingDays({ device, utcDay }: OpenSlot, rows: readonly StoredSampleDay[]): StoredSampleDay[] {
    const writtenIds = new Set(rows.map(formatSampleDayId));
    return [...this.all()].filter(
      (day) => day.device === device && day.utcDay === utcDay && !writtenIds.has(formatSampleDayId(day)),
    );
  }

  #buildChangedSlots(
    target: Pick<OpenSlot, 'device' | 'half' | 'utcDay'>,
    days: readonly StoredSampleDay[],
  ): OpenSlot[] {
    const changed: OpenSlot[] = [];
    const bySlot = days.map(({ metric, samples }) => ({ metric, samples: Map.groupBy(samples, computeSlot) }));
    for (let slot = 0; slot < slotsPerDay; slot++) {
      const found = this.#slots.find(
        (each) => each.device === target.device && each.half === target.half && each.slot === slot,
      );
      const before = found?.utcDay === target.utcDay ? found.blocks : {};
      const blocks = { ...before };
      for (const { metric, samples } of bySlot) {
        const index = String(sampleRow(metric).index);
        const own = samples.get(slot);
        if (own) blocks[index] = packSamples(metric, target.utcDay, own);
        else delete blocks[index];
      }
      if (!areBlocksEqual(before, blocks)) changed.push({ ...target, slot, blocks, revision: found?.revision ?? 0 });
    }
    return changed;
  }
}

function listChangedSummaries(before: RowSummary, closed: ClosedSamples): RowSummary[] {
  return isDeepStrictEqual(before.closed, closed) ? [] : [{ ...before, closed }];
}

const reachesInto = ({ samples }: StoredSampleDay, span: Span): boolean =>
  samples.some(({ startMs, endMs }) => endMs >= span.startMs && startMs < span.endMs);

const isTooLarge = ({ blocks }: OpenSlot): boolean => computeSize(blocks) > maxBytes;

const computeSlot = ({ startMs }: StoredSample): number => Math.floor(startMs / slotMs) % slotsPerDay;

const computeSize = (blocks: OpenSlot['blocks']): number =>
  Object.values(blocks).reduce((sum, block) => sum + block.length, 0);

const areBlocksEqual = (a: OpenSlot['blocks'], b: OpenSlot['blocks']): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([index, block]) => Buffer.compare(block, b[index] ?? new Uint8Array()) === 0);

export const openSampleRows = repository(({ table }) => {
  const where = '#pk = :pk AND begins_with(#sk, :prefix)';
  const deviceQuery = (user: string, device: number | undefined) => ({
    where,
    values: { pk: userPartition(user), prefix: openSamplesPrefix(device) },
  });

  /** Accepts items that were read together with other items. */
  const parseItems = (items: readonly Item[]): OpenSamples => {
    const own = items.filter(({ sk }) => String(sk).startsWith(openSamplesPrefix()));
    const { known = [], slots = [] } = Object.groupBy(own, ({ sk }) =>
      String(sk).endsWith(closedSamplesSuffix) ? 'known' : 'slots',
    );
    return new OpenSamples(slots.map(parseSlot), known.map(parseSummary));
  };

  return {
    parseItems,
    async read(
      user: string,
      { device, consistent = false }: { device?: number | undefined; consistent?: boolean } = {},
    ) {
      const items: Item[] = [];
      for await (const item of table.queryAll({ ...deviceQuery(user, device), consistent })) items.push(item);
      return parseItems(items);
    },
    /** Returns false if the slot has changed since it was read. */
    async replace(user: string, { device, half, slot, utcDay, blocks, revision }: OpenSlot): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'put',
        item: { ...keys.openSamples(user, device, half, slot), d: utcDay, v: blocks, r: revision + 1 },
        condition: revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision },
      });
      return applied;
    },
    /** Returns false if the summary has changed since it was read. */
    async replaceSummary(user: string, { device, closed, revision }: RowSummary): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'put',
        item: { ...keys.closedSamples(user, device), ...closed, r: revision + 1 },
        condition: revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision },
      });
      return applied;
    },
    async listKeys(user: string, device: number): Promise<Key[]> {
      const found: Key[] = [];
      const query = { ...deviceQuery(user, device), consistent: true, only: ['pk', 'sk'] };
      for await (const item of table.queryAll(query))
        found.push(z.object({ pk: z.string(), sk: z.string() }).parse(item));
      return found;
    },
  };
});

function parseSlot(item: Item): OpenSlot {
  const { sk, d, v, r } = SlotItem.parse(item);
  const [, device, half, slot] = sk.split('#').map(Number);
  if (device === undefined || half === undefined || slot === undefined)
    throw new Error(`${sk} is not the key of a sample slot`);
  return { device, half, slot, utcDay: d, blocks: v, revision: r };
}

const RowSummaryItem = z.object({ ...ClosedSamples.shape, sk: z.string(), r: z.number() });

function parseSummary(item: Item): RowSummary {
  const { sk, r, ...closed } = RowSummaryItem.parse(item);
  return { device: Number(sk.split('#')[1]), closed, revision: r };
}
