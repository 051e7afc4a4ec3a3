// One measured operation and its usage: a line of the printed figures.
import type { Matrix, Row } from '../row.ts';
import { type Capacity, dollarsOf } from './dollars.ts';
import { totalOf, type Usage } from './usage.ts';

export interface MeasuredOperation {
  name: string;
  usage: Usage;
  /** Rows in addition to those that every operation has. */
  extraRows?: readonly Pick<Row, 'name' | 'unit' | 'value'>[];
}

const million = 1e6;

/** The columns of the printed figures, in order. */
const columns: readonly { column: string; unit: string; of(usage: Usage): number }[] = [
  { column: 'write', unit: 'units', of: (usage) => totalOf(usage, 'writeUnits') },
  { column: 'read', unit: 'units', of: (usage) => totalOf(usage, 'readUnits') },
  { column: 'refused', unit: 'units', of: (usage) => totalOf(usage, 'refusedUnits') },
  { column: 'calls', unit: 'table calls', of: (usage) => totalOf(usage, 'tableCalls') },
  { column: 'runs', unit: 'function runs', of: (usage) => totalOf(usage, 'runs') },
  { column: 'messages', unit: 'queue messages', of: (usage) => totalOf(usage, 'sentMessages') },
  {
    ...{ column: 'requests', unit: 'queue requests' },
    of: (usage) => totalOf(usage, 'standardRequests') + totalOf(usage, 'fifoRequests'),
  },
  { column: 'bus', unit: 'bus entries', of: (usage) => totalOf(usage, 'busEntries') },
  { column: '$ a million', unit: 'on demand', of: (usage) => million * dollarsOf(usage, 'onDemand') },
  { column: 'provisioned', unit: '$ a million', of: (usage) => million * dollarsOf(usage, 'provisioned') },
];

export function toRows({ name, usage, extraRows: more = [] }: MeasuredOperation): Row[] {
  const placed = (column: string): Matrix => ({ line: name, column });
  return [
    ...columns.map(({ column, unit, of }) => ({
      name: `${name}: ${column}`,
      unit,
      value: of(usage),
      matrix: placed(column),
    })),
    ...more,
  ];
}

/** The cost of a month of this usage, in dollars. */
export const monthlyCostRows = (
  name: string,
  usage: Usage,
  extraCost: Readonly<Record<Capacity, number>> = noExtraCost,
): Row[] =>
  (['onDemand', 'provisioned'] as const).map((capacity) => ({
    name: `${name}, ${capacity === 'onDemand' ? 'on demand' : 'provisioned'}`,
    unit: '$ a month',
    value: dollarsOf(usage, capacity) + extraCost[capacity],
  }));

const noExtraCost = { onDemand: 0, provisioned: 0 } as const;
