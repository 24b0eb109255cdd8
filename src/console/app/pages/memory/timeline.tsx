// The memories of a namespace, the newest first, under the days of their times.
import { useState } from 'preact/hooks';
import { call, path } from '../../kit/api.js';
import { Select } from '../../kit/field.js';
import { countText, plural, timeText } from '../../kit/format.js';
import { jsonText } from '../../kit/json.js';
import { Badge, Empty } from '../../kit/messages.js';
import { PagedView, usePages } from '../../kit/pages.js';
import { hiddenText } from './not-shown.js';
import type { ListAnswer, MemoryEntry } from './types.js';
import type { ViewProps } from './view-props.js';

const PAGE = 50;
const ORDERS = [
  { value: 'stored_at:desc', title: 'Newest stored first' },
  { value: 'stored_at:asc', title: 'Oldest stored first' },
  { value: 'own_time:desc', title: 'By their own time' },
] as const;
type Order = (typeof ORDERS)[number]['value'];

export function Timeline({ namespace, version, onOpen }: ViewProps) {
  const [order, setOrder] = useState<Order>('stored_at:desc');
  const [hidden, setHidden] = useState<ListAnswer['not_shown']>({});
  const pages = usePages(
    async (after, signal) => {
      const { entries, next, count, not_shown } = await call<ListAnswer>(
        'GET',
        path`/_memory/${namespace}`,
        undefined,
        { signal, params: { size: PAGE, sort: order, after } },
      );
      setHidden(not_shown);
      return { items: entries, next, total: count };
    },
    [namespace, version, order],
  );
  return (
    <>
      <div class="row">
        <Select label="Order" value={order} options={ORDERS} onChange={setOrder} />
      </div>
      <PagedView of={pages} what="memories" one="memory">
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="There is no memory to show.">
              <p>{hiddenText(hidden) || 'Store one above, or import an export.'}</p>
            </Empty>
          ) : (
            <>
              <p class="quiet">
                {plural(pages.total ?? 0, 'memory', 'memories')}
                {hiddenText(hidden) === '' ? '' : `; not shown: ${hiddenText(hidden)}`}
              </p>
              <Days entries={entries} onOpen={onOpen} />
            </>
          )
        }
      </PagedView>
    </>
  );
}

function Days({
  entries,
  onOpen,
}: {
  readonly entries: readonly MemoryEntry[];
  readonly onOpen: (id: string) => void;
}) {
  const days: { readonly day: string; readonly entries: MemoryEntry[] }[] = [];
  for (const entry of entries) {
    const day =
      entry.stored_at === null ? 'Without a time' : timeText(entry.stored_at).slice(0, 10);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return (
    <ol class="timeline">
      {days.map(({ day, entries: ofDay }) => (
        <li key={`${day} ${ofDay[0]?.id}`}>
          <h3>
            {day} <span class="quiet">{countText(ofDay.length)}</span>
          </h3>
          <ul>
            {ofDay.map((entry) => (
              <li key={entry.id}>
                <MemoryButton entry={entry} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const LONG_TEXT = 280;
const MANY_TAGS = 6;

export function MemoryButton({
  entry: { id, text, metadata, stored_at },
  onOpen,
}: {
  readonly entry: MemoryEntry;
  readonly onOpen: (id: string) => void;
}) {
  const tags = Object.entries(metadata ?? {});
  return (
    <button type="button" class="memory" onClick={() => onOpen(id)}>
      <span class="memory-text">
        {text === null
          ? '(only a vector)'
          : text.length > LONG_TEXT
            ? `${text.slice(0, LONG_TEXT)} …`
            : text}
      </span>
      <span class="memory-tags">
        <span class="quiet">
          {stored_at === null ? '' : timeText(stored_at).slice(11)} {id.slice(0, 60)}
        </span>
        {tags.slice(0, MANY_TAGS).map(([name, value]) => (
          <Badge key={name}>{`${name}: ${shortText(value)}`}</Badge>
        ))}
        {tags.length > MANY_TAGS && <Badge>{`${tags.length - MANY_TAGS} more`}</Badge>}
      </span>
    </button>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value, 0);
  return text.length > 60 ? `${text.slice(0, 60)} …` : text;
}
