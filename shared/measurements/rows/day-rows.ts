// Stores packed days: the values of each device (normalized) and the one value of each metric
// (canonical). An older version never overwrites a newer one.
import * as z from 'zod';
import { writeConditionally } from '../../platform/conditional-write.ts';
import { iterateChunked, readAllChunked, replaceLargeItem } from '../../platform/large-items.ts';
import type { Item } from '../../platform/ports.ts';
import { keys, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const bytes = z.instanceof(Uint8Array);
const NormalizedItem = z.object({ sk: z.string(), v: bytes, r: z.number() });
const CanonicalItem = z.object({ sk: z.string(), v: bytes, n: z.number(), g: z.number(), m: z.number() });

export interface NormalizedItem {
  date: string;
  packed: Uint8Array;
  /** Increases by one with every change. */
  revision: number;
}
export interface CanonicalItem {
  date: string;
  packed: Uint8Array;
  /**
   * The sum of the revisions of the normalized days this day was built from, including the adjacent
   * days.
   */
  revisionSum: number;
  /** The generation of the settings this day was built with. */
  generation: number;
  /** The version of the merge rules that this day was built by. */
  mergeRule: number;
}

const parseDate = (sk: string): string => sk.slice('N#'.length, 'N#YYYY-MM-DD'.length);

export const dayRows = repository(({ table }) => {
  const parseNormalized = (item: Item): NormalizedItem => {
    const { sk, v, r } = NormalizedItem.parse(item);
    return { date: parseDate(sk), packed: v, revision: r };
  };
  const parseCanonical = (item: Item): CanonicalItem => {
    const { sk, v, n, g, m } = CanonicalItem.parse(item);
    return { date: parseDate(sk), packed: v, revisionSum: n, generation: g, mergeRule: m };
  };
  const rangeQuery = (user: string, prefix: 'N#' | 'D#', from: string, to: string) => ({
    where: '#pk = :pk AND #sk BETWEEN :from AND :to',
    values: { pk: userPartition(user), from: prefix + from, to: prefix + to },
  });
  async function* mapItems<T>(items: AsyncGenerator<Item>, parse: (item: Item) => T): AsyncGenerator<T> {
    for await (const item of items) yield parse(item);
  }

  return {
    async readNormalized(user: string, dates: readonly string[]): Promise<Map<string, NormalizedItem>> {
      const items = await table.batchGet(
        dates.map((date) => keys.normalizedDay(user, date)),
        { consistent: true },
      );
      return new Map((await readAllChunked(table, items)).map(parseNormalized).map((day) => [day.date, day]));
    },
    async readCanonical(user: string, dates: readonly string[]): Promise<Map<string, CanonicalItem>> {
      const items = await table.batchGet(
        dates.map((date) => keys.canonicalDay(user, date)),
        { consistent: true },
      );
      return new Map(items.map(parseCanonical).map((day) => [day.date, day]));
    },
    iterateNormalized: (
      user: string,
      from: string,
      to: string,
      { consistent = true } = {},
    ): AsyncGenerator<NormalizedItem> =>
      mapItems(
        iterateChunked(table, table.queryAll({ ...rangeQuery(user, 'N#', from, to), consistent })),
        parseNormalized,
      ),
    iterateCanonical: (
      user: string,
      from: string,
      to: string,
      { consistent = false, rowsPerPage }: { consistent?: boolean; rowsPerPage?: number } = {},
    ): AsyncGenerator<CanonicalItem> =>
      mapItems(
        table.queryAll({
          ...rangeQuery(user, 'D#', from, to),
          consistent,
          ...(rowsPerPage === undefined ? {} : { limit: rowsPerPage }),
        }),
        parseCanonical,
      ),
    /**
     * Returns the first and the last day with values of any device; undefined if there are none.
     */
    async findNormalizedRange(user: string): Promise<{ from: string; to: string } | undefined> {
      const findEndDate = async (newestFirst: boolean) => {
        const { items } = await table.query({
          where: '#pk = :pk AND begins_with(#sk, :prefix)',
          values: { pk: userPartition(user), prefix: 'N#' },
          limit: 1,
          newestFirst,
          consistent: true,
        });
        return items.map(({ sk }) => parseDate(String(sk)))[0];
      };
      const [from, to] = await Promise.all([findEndDate(false), findEndDate(true)]);
      return from === undefined || to === undefined ? undefined : { from, to };
    },
    /** Returns false if the day has changed since `revision` was read (0: there was none). */
    async replaceNormalized(user: string, date: string, packed: Uint8Array, revision: number): Promise<boolean> {
      const item = { ...keys.normalizedDay(user, date), v: packed, r: revision + 1 };
      return replaceLargeItem(table, item, {
        condition: revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision },
      });
    },
    /** Returns false if the stored day was built from newer data or settings. */
    async replaceCanonical(user: string, day: CanonicalItem): Promise<boolean> {
      const { date, packed, revisionSum, generation, mergeRule } = day;
      const { applied } = await writeConditionally(table, {
        kind: 'put',
        item: { ...keys.canonicalDay(user, date), v: packed, n: revisionSum, g: generation, m: mergeRule },
        condition: 'attribute_not_exists(#pk) OR (#n <= :from AND #g <= :generation)',
        values: { from: revisionSum, generation },
      });
      return applied;
    },
  };
});
