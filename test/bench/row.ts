// One row of the benchmark: a number, its unit, and its bound.

export interface Row {
  name: string;
  unit: string;
  value: number;
  /** A row without a bound is for information only. */
  bound?: { max: number } | { min: number };
  /** Prints the row as a cell of a table, together with other rows. */
  matrix?: Matrix;
}
export interface Matrix {
  line: string;
  column: string;
}

export type Measure = () => Promise<Row[]>;

export function isWithinBound({ value, bound }: Row): boolean {
  if (!bound) return true;
  return 'max' in bound ? value <= bound.max : value >= bound.min;
}

export function boundText({ bound }: Row): string | null {
  if (!bound) return null;
  return 'max' in bound ? `<= ${bound.max}` : `>= ${bound.min}`;
}

/** One line for each row, followed by the tables of matrix cells. */
export const formatTable = (rows: readonly Row[]): string =>
  [
    alignColumns(
      rows
        .filter(({ matrix }) => !matrix)
        .map((row) => [
          row.name,
          numberText(row.value),
          row.unit,
          boundText(row) ?? '',
          isWithinBound(row) ? '' : 'BROKEN',
        ]),
    ),
    ...groupMatrices(rows).map(alignColumns),
  ]
    .filter((text) => text !== '')
    .join('\n\n');

const numberText = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 4 : 2);

/** Groups lines that have the same columns. */
function groupMatrices(rows: readonly Row[]): string[][][] {
  const lines = new Map<string, Map<string, string>>();
  for (const { matrix, value } of rows) {
    if (!matrix) continue;
    const line = lines.get(matrix.line) ?? new Map<string, string>();
    lines.set(matrix.line, line.set(matrix.column, numberText(value)));
  }
  const byColumns = Map.groupBy(lines, ([, line]) => [...line.keys()].join('\n'));
  return Array.from(byColumns, ([columns, group]) => [
    ['', ...columns.split('\n')],
    ...group.map(([name, line]) => [name, ...line.values()]),
  ]);
}

/** The first column is text. Columns of numbers are right-aligned. */
function alignColumns(cells: readonly string[][]): string {
  const widths = (cells[0] ?? []).map((_none, column) => Math.max(...cells.map((each) => each[column]?.length ?? 0)));
  const isNumber = widths.map((_none, column) => column > 0 && cells.some((each) => /^-?\d/.test(each[column] ?? '')));
  return cells
    .map((each) =>
      each
        .map((text, column) =>
          isNumber[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const median = (values: readonly number[]): number => {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('cannot take the median of an empty list');
  return middle;
};
