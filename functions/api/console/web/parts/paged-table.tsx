// A table of a paged list, with a button for the next page.
import type { ComponentChildren } from 'preact';
import type { ShownList } from '../state/use-paged-list.ts';
import { words } from '../words/en.ts';
import { FailureNote, Panel } from './panel.tsx';
import { type Column, DataTable } from './table.tsx';

interface PagedTableProps<Row extends { id: string }> {
  of: ShownList<Row>;
  caption: string;
  columns: readonly Column<Row>[];
  empty: ComponentChildren;
}

export const PagedTable = <Row extends { id: string }>({
  of: paged,
  caption,
  columns,
  empty,
}: PagedTableProps<Row>) => (
  <Panel of={paged.first} minHeight="16rem">
    {() => {
      const rows = paged.list();
      return (
        <>
          {rows.length > 0 && <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
          {rows.length === 0 && !paged.hasMore() && <div class="empty">{empty}</div>}
          <FailureNote failure={paged.failure.value} retry={() => void paged.loadMore()} />
          {paged.hasMore() && (
            <p class="more">
              <button
                type="button"
                class="button"
                disabled={paged.isLoading.value}
                onClick={() => void paged.loadMore()}
              >
                {words.more}
              </button>
            </p>
          )}
        </>
      );
    }}
  </Panel>
);
