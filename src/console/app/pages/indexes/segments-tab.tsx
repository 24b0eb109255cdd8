// Segments of an index: files that are written once, and joined by merges.
import { call, path } from '../../kit/api.js';
import { bytesText, countText } from '../../kit/format.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Badge, Empty } from '../../kit/messages.js';
import { type Column, Table } from '../../kit/table.js';

type Cells = Readonly<Record<string, string | null>>;

const number = (title: string, name: string, format: (value: number) => string): Column<Cells> => ({
  title,
  isNumber: true,
  cell: (cells) => format(Number(cells[name] ?? 0)),
  sortBy: (cells) => Number(cells[name] ?? 0),
});

const COLUMNS: readonly Column<Cells>[] = [
  {
    title: 'Segment',
    isHeader: true,
    cell: ({ segment, shard }) => `${segment} of shard ${shard}`,
    sortBy: ({ segment, shard }) => `${shard} ${segment}`,
  },
  number('Documents', 'docs.count', countText),
  number('Deleted', 'docs.deleted', countText),
  number('Size', 'size', bytesText),
  {
    title: 'Where',
    cell: ({ committed }) =>
      committed === 'true' ? <Badge kind="good">on disk</Badge> : <Badge>in memory and log</Badge>,
  },
];

export function SegmentsTab({ name }: { readonly name: string }) {
  const segments = useLoad(
    (signal) =>
      call<readonly Cells[]>('GET', path`/_cat/segments/${name}`, undefined, {
        signal,
        params: { format: 'json', bytes: 'b' },
      }),
    [name],
  );
  return (
    <LoadedView of={segments} what="the segments">
      {(rows) => (
        <Table
          caption="Segments"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ segment, shard }) => `${shard} ${segment}`}
          empty={
            <Empty title="There is no segment yet">
              <p>A refresh makes one of the documents that were written since the last.</p>
            </Empty>
          }
        />
      )}
    </LoadedView>
  );
}
