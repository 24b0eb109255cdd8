// The latest slow searches, with their phases and the shape of what was searched for.
import { useState } from 'preact/hooks';
import { call } from '../../kit/api.js';
import { Bars } from '../../kit/bars.js';
import { Dialog } from '../../kit/dialog.js';
import { countText, durationText, plural, timeText } from '../../kit/format.js';
import type { JsonObject } from '../../kit/json.js';
import { JsonView } from '../../kit/json-view.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Badge, Empty } from '../../kit/messages.js';
import { Table } from '../../kit/table.js';

interface SlowSearch {
  readonly at: number;
  readonly level: 'warn' | 'info' | 'debug' | 'trace';
  readonly phase: string;
  readonly took_ms: number;
  readonly indexes: readonly string[];
  readonly index_count: number;
  readonly mode: string;
  readonly phases_ms: Readonly<Record<string, number>>;
  readonly work: Readonly<Record<string, number>>;
  readonly shape: JsonObject;
  readonly request_id?: string;
  readonly opaque_id?: string;
}

interface SlowSearches {
  readonly total: number;
  readonly thresholds_ms: Readonly<Record<string, number>>;
  readonly searches: readonly SlowSearch[];
}

const POLL_MS = 5000;

export function SlowSearchesView() {
  const [opened, setOpened] = useState<SlowSearch>();
  const loaded = useLoad(
    (signal) =>
      call<SlowSearches>('GET', '/v1/slow_searches', undefined, { signal, params: { size: 200 } }),
    [],
    { everyMs: POLL_MS },
  );
  return (
    <>
      <LoadedView of={loaded} what="slow searches">
        {({ total, thresholds_ms, searches }) => (
          <>
            <p class="quiet">
              {plural(total, 'slow search', 'slow searches')} since the start, the latest{' '}
              {countText(searches.length)} are shown. Thresholds: {thresholdsText(thresholds_ms)}.
            </p>
            <Table
              caption="Slow searches"
              rows={searches}
              keyOf={({ at, request_id, phase, took_ms }) =>
                `${at} ${request_id} ${phase} ${took_ms}`
              }
              filterBy={({ indexes, mode }) => `${indexes.join(' ')} ${mode}`}
              empty={<NoSlowSearches />}
              columns={[
                {
                  title: 'When',
                  isHeader: true,
                  sortBy: ({ at }) => at,
                  cell: (search) => (
                    <button type="button" class="link" onClick={() => setOpened(search)}>
                      {timeText(search.at)}
                    </button>
                  ),
                },
                {
                  title: 'Took',
                  isNumber: true,
                  sortBy: ({ took_ms }) => took_ms,
                  cell: ({ took_ms }) => durationText(took_ms),
                },
                {
                  title: 'Level',
                  sortBy: ({ level }) => level,
                  cell: ({ level }) => (
                    <Badge kind={level === 'warn' ? 'warning' : 'info'}>{level}</Badge>
                  ),
                },
                { title: 'Mode', sortBy: ({ mode }) => mode, cell: ({ mode }) => mode },
                {
                  title: 'Indexes',
                  cell: ({ indexes, index_count }) =>
                    indexes.join(', ') +
                    (index_count > indexes.length
                      ? ` and ${index_count - indexes.length} more`
                      : ''),
                },
              ]}
            />
          </>
        )}
      </LoadedView>
      {opened !== undefined && (
        <Dialog title="A slow search" onClose={() => setOpened(undefined)}>
          <SearchDetails search={opened} />
        </Dialog>
      )}
    </>
  );
}

function thresholdsText(thresholds: SlowSearches['thresholds_ms']): string {
  const set = Object.entries(thresholds).filter(([, ms]) => ms >= 0);
  if (set.length === 0) return 'none, no search counts as slow';
  return set.map(([level, ms]) => `${level} from ${durationText(ms)}`).join(', ');
}

function NoSlowSearches() {
  return (
    <Empty title="No search was slow.">
      <p>
        The thresholds are <code>logging.slow_query_warn_ms</code> and the keys next to it in the
        configuration, and <code>index.search.slowlog.threshold.query.warn</code> of an index.
      </p>
    </Empty>
  );
}

function SearchDetails({ search }: { readonly search: SlowSearch }) {
  const { at, took_ms, phase, phases_ms, work, shape, request_id, opaque_id } = search;
  return (
    <>
      <dl class="facts">
        <dt>When</dt>
        <dd>{timeText(at)}</dd>
        <dt>Slow phase</dt>
        <dd>
          {phase}, {durationText(took_ms)}
        </dd>
        {request_id !== undefined && (
          <>
            <dt>Request</dt>
            <dd>
              <code>{request_id}</code>
            </dd>
          </>
        )}
        {opaque_id !== undefined && (
          <>
            <dt>Named by the client</dt>
            <dd>{opaque_id}</dd>
          </>
        )}
        {Object.entries(work)
          .filter(([, count]) => count > 0)
          .flatMap(([what, count]) => [
            <dt key={what}>{what.replaceAll('_', ' ')}</dt>,
            <dd key={`${what} count`}>{countText(count)}</dd>,
          ])}
      </dl>
      <Bars
        label="Phases"
        items={Object.entries(phases_ms).map(([name, value]) => ({
          key: name,
          label: name,
          value,
          text: durationText(value),
        }))}
      />
      <p class="quiet">The shape of the search; its values are not kept.</p>
      <JsonView label="The shape of the search" value={shape} />
    </>
  );
}
