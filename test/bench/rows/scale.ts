// A peak minute in which every user syncs: the cost of each sync, and the busiest partitions.
import { parseArgs } from 'node:util';
import type { Measure } from '../row.ts';
import { fleetLoad, fleetSizes, usersUntilFull } from '../scale/fleet.ts';
import { kindOf, partitionLimits } from '../scale/hot-keys.ts';
import { measureScale, type ScaleOptions } from '../scale.ts';

const shownKeys = 12;

export const measure: Measure = async () => {
  const options = optionsFrom(process.argv.slice(2));
  const name = 'scale';
  const scale = await measureScale(options);
  if (process.env['BENCH_DETAILS']) process.stderr.write(`${JSON.stringify(scale, null, 2)}\n`);
  return [
    ...Object.entries(options).map(([what, value]) => ({ name: `${name}: ${what}`, unit: what, value })),
    { name: `${name}: write units`, unit: 'a sync', value: scale.writeUnits },
    { name: `${name}: of them refused`, unit: 'a sync', value: scale.refusedUnits },
    { name: `${name}: of them in conflicts of transactions`, unit: 'a sync', value: scale.conflictUnits },
    { name: `${name}: read units`, unit: 'a sync', value: scale.readUnits },
    { name: `${name}: write units of everything`, unit: 'in the busiest s', value: scale.peak.write },
    { name: `${name}: read units of everything`, unit: 'in the busiest s', value: scale.peak.read },
    { name: `${name}: until its webhook, median`, unit: 's', value: scale.webhookSeconds.median },
    { name: `${name}: until its webhook, p99`, unit: 's', value: scale.webhookSeconds.p99 },
    { name: `${name}: syncs without a webhook in ten minutes`, unit: 'syncs', value: scale.webhookSeconds.missing },
    { name: `${name}: until the last webhook`, unit: 's', value: scale.lastWebhookSeconds },
    ...Object.entries(scale.loads).flatMap(([each, { runs, failures, maxConcurrency, longestMs }]) => {
      const cellOf = (column: string) => ({ line: `${name}: ${each}`, column });
      return Object.entries({ runs, failures, 'at once': maxConcurrency, 'longest ms': longestMs }).map(
        ([column, value]) => ({
          name: `${name}: ${each}: ${column}`,
          unit: column,
          value,
          matrix: cellOf(column),
        }),
      );
    }),
    ...Object.entries(scale.depths)
      .filter(([, count]) => count > 0)
      .map(([queue, count]) => ({
        name: `${name}: queue ${queue}, messages that waited`,
        unit: 'at once',
        value: count,
      })),
    ...scale.hottest.slice(0, shownKeys).flatMap((key) => {
      const line = `${name}: hottest ${kindOf(key.partition)}, ${key.kind}`;
      const fullAt = usersUntilFull(key, options.people);
      const cells = {
        'units in a s': key.units,
        'a key takes': partitionLimits[key.kind],
        '% of it': Math.round(100 * key.share),
        'keys of its kind': key.keyCount,
        ...(fullAt === undefined
          ? {}
          : { 'units a sync': key.total / options.people, 'people until it is full': fullAt }),
      };
      return Object.entries(cells).map(([column, value]) => ({
        name: `${line}: ${column}`,
        unit: column,
        value,
        matrix: { line, column },
      }));
    }),
    ...fleetSizes.flatMap((users) => {
      const load = fleetLoad(users, { write: scale.writeUnits, read: scale.readUnits });
      const line = `${name}: ${users} people in their busiest hour`;
      const cells = {
        'syncs in a s': load.syncsASecond,
        'write units': load.writeUnits,
        'read units': load.readUnits,
        'partitions, at least': load.partitions,
      };
      return Object.entries(cells).map(([column, value]) => ({
        name: `${line}: ${column}`,
        unit: column,
        value,
        matrix: { line, column },
      }));
    }),
    ...Object.entries(scale.errors).map(([message, count]) => ({
      name: `${name}: logged "${message}"`,
      unit: 'times',
      value: count,
    })),
  ];
};

function optionsFrom(cliArguments: string[]): ScaleOptions {
  const option = (fallback: number) => ({ type: 'string' as const, default: String(fallback) });
  const { values } = parseArgs({
    args: cliArguments,
    allowPositionals: true,
    options: { people: option(150), accounts: option(1), shards: option(8) },
  });
  const count = (text: string): number => {
    if (!/^[1-9]\d*$/.test(text)) throw new Error(`"${text}" is not a count: pass, for example, --people=20000`);
    return Number(text);
  };
  return { people: count(values.people), accounts: count(values.accounts), shards: count(values.shards) };
}
