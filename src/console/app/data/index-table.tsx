// The table of indexes of the pages Home and Indexes.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { bytesText, countText, plural } from '../kit/format.js';
import { Badge } from '../kit/messages.js';
import { href } from '../kit/router.js';
import { type Column, Table } from '../kit/table.js';
import type { IndexRow } from './indexes.js';

const COLUMNS: readonly Column<IndexRow>[] = [
  {
    title: 'Index',
    isHeader: true,
    cell: ({ name }) => <a href={href('indexes', [name])}>{name}</a>,
    sortBy: ({ name }) => name,
  },
  {
    title: 'Documents',
    isNumber: true,
    cell: ({ documents }) => countText(documents),
    sortBy: ({ documents }) => documents,
  },
  {
    title: 'Size',
    isNumber: true,
    cell: ({ bytes }) => bytesText(bytes),
    sortBy: ({ bytes }) => bytes,
  },
  {
    title: 'State',
    cell: ({ status, health }) =>
      status === 'close' ? (
        <Badge>closed</Badge>
      ) : (
        <Badge kind={health === 'red' ? 'wrong' : 'good'}>
          {health === 'red' ? 'red' : 'good'}
        </Badge>
      ),
    sortBy: ({ status, health }) => `${status} ${health}`,
  },
  {
    title: 'Actions',
    cell: ({ name, status }) =>
      status === 'close' ? null : (
        <a href={href('search', [], { index: name })} aria-label={`Search ${name}`}>
          Search
        </a>
      ),
  },
];

export function IndexTable({
  rows,
  empty,
}: {
  readonly rows: readonly IndexRow[];
  /** Shown if there is no index of the user's. */
  readonly empty: ComponentChildren;
}) {
  const [showsHidden, setShowsHidden] = useState(false);
  const visible = showsHidden ? rows : rows.filter(({ isHidden }) => !isHidden);
  const hidden = rows.length - rows.filter(({ isHidden }) => !isHidden).length;
  return (
    <>
      <Table
        caption="Indexes"
        columns={COLUMNS}
        rows={visible}
        keyOf={({ name }) => name}
        filterBy={({ name }) => name}
        empty={empty}
      />
      {hidden > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsHidden}
            onChange={(event) => setShowsHidden(event.currentTarget.checked)}
          />{' '}
          Show {plural(hidden, 'index', 'indexes')} that the service made for itself
        </label>
      )}
    </>
  );
}
