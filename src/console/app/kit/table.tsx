// A table that can be sorted, filtered and paged, so that it holds ten thousand rows.
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { plural } from './format.js';

export type SortValue = string | number | undefined;

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Present if rows can be sorted by it. */
  readonly sortBy?: (row: Row) => SortValue;
  readonly isNumber?: boolean;
  /** The cell names the row. */
  readonly isHeader?: boolean;
}

export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The text that the filter looks into; without it there is no filter. */
  readonly filterBy?: (row: Row) => string;
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  readonly pageSize?: number;
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  filterBy,
  empty,
  pageSize = 50,
}: TableProps<Row>) {
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<{ readonly at: number; readonly isDown: boolean }>();
  const [page, setPage] = useState(0);
  const chosen = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const matching =
      wanted === '' || filterBy === undefined
        ? rows
        : rows.filter((row) => filterBy(row).toLowerCase().includes(wanted));
    const sortBy = sort === undefined ? undefined : columns[sort.at]?.sortBy;
    if (sortBy === undefined) return matching;
    const sign = sort?.isDown === true ? -1 : 1;
    return [...matching].sort((a, b) => sign * compare(sortBy(a), sortBy(b)));
  }, [rows, filter, sort, columns, filterBy]);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const pages = Math.max(1, Math.ceil(chosen.length / pageSize));
  const current = Math.min(page, pages - 1);
  const visible = chosen.slice(current * pageSize, (current + 1) * pageSize);
  const sortAt = (at: number): void => {
    setSort((before) => ({ at, isDown: before?.at === at && !before.isDown }));
    setPage(0);
  };
  return (
    <div class="table">
      {filterBy !== undefined && rows.length > 5 && (
        <Filter
          caption={caption}
          value={filter}
          onChange={(value) => {
            setFilter(value);
            setPage(0);
          }}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled by keyboard */}
      <figure class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <HeadCell
                  key={column.title}
                  column={column}
                  direction={sort?.at === at ? (sort.isDown ? 'descending' : 'ascending') : 'none'}
                  onSort={() => sortAt(at)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, cell, isNumber, isHeader }) =>
                  isHeader === true ? (
                    <th key={title} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={title} class={isNumber === true ? 'number' : undefined}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
      <Pager
        page={current}
        pages={pages}
        count={chosen.length}
        total={rows.length}
        onPage={setPage}
      />
    </div>
  );
}

function HeadCell<Row>({
  column: { title, sortBy, isNumber },
  direction,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly direction: 'ascending' | 'descending' | 'none';
  readonly onSort: () => void;
}) {
  const name = isNumber === true ? 'number' : undefined;
  if (sortBy === undefined) {
    return (
      <th scope="col" class={name}>
        {title}
      </th>
    );
  }
  const arrow = direction === 'none' ? '' : direction === 'ascending' ? ' ▲' : ' ▼';
  return (
    <th scope="col" class={name} aria-sort={direction}>
      <button type="button" class="plain" onClick={onSort}>
        {title}
        <span aria-hidden="true">{arrow}</span>
      </button>
    </th>
  );
}

function Filter({
  caption,
  value,
  onChange,
}: {
  readonly caption: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id} class="visually-hidden">{`Filter: ${caption}`}</label>
      <input
        id={id}
        type="search"
        placeholder="Filter"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

export function Pager({
  page,
  pages,
  count,
  total,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly count: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}) {
  if (pages === 1 && count === total) return null;
  return (
    <div class="pager">
      <span>
        {plural(count, 'row')}
        {count < total && ` of ${total}`}
      </span>
      {pages > 1 && (
        <>
          <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
            Previous
          </button>
          <span>{`Page ${page + 1} of ${pages}`}</span>
          <button type="button" disabled={page === pages - 1} onClick={() => onPage(page + 1)}>
            Next
          </button>
        </>
      )}
    </div>
  );
}

/** Rows without a value come last in ascending order. */
function compare(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}
