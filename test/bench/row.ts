// One line of the benchmark: a number, its unit, and what it is held to.

export interface Row {
  name: string;
  unit: string;
  value: number;
  /** Without one the row only informs. */
  hold?: { atMost: number } | { atLeast: number };
}

export type Measure = () => Promise<Row[]>;

export function isKept({ value, hold }: Row): boolean {
  if (!hold) return true;
  return 'atMost' in hold ? value <= hold.atMost : value >= hold.atLeast;
}

export function holdText({ hold }: Row): string | null {
  if (!hold) return null;
  return 'atMost' in hold ? `<= ${hold.atMost}` : `>= ${hold.atLeast}`;
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    Number.isInteger(row.value) ? String(row.value) : row.value.toFixed(2),
    row.unit,
    holdText(row) ?? '',
    isKept(row) ? '' : 'BROKEN',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((each) => each[column]?.length ?? 0)));
  return cells
    .map((each) =>
      each
        .map((text, column) => (column === 1 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const median = (values: readonly number[]): number => {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('there is nothing to take the median of');
  return middle;
};
