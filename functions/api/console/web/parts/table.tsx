// A table that scrolls sideways in itself on a narrow screen.
import type { ComponentChildren } from 'preact';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';

export interface Column<Row> {
  id: string;
  name: string;
  isNumber?: boolean;
  cell: (row: Row) => ComponentChildren;
}

/** A text of a cell may be what a stranger wrote. */
const showCell = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'string' ? toDisplayLine(content) : content;

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export const DataTable = <Row,>({ caption, columns, rows, keyOf }: DataTableProps<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <section class="table-scroll" tabIndex={0} aria-label={caption}>
    <table>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, name, isNumber }) => (
            <th key={id} scope="col" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ id, isNumber, cell }) => (
              <td key={id} class={isNumber ? 'number' : undefined}>
                {showCell(cell(row))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
