// The brains that have links.
import { useState } from 'preact/hooks';
import { call } from '../../kit/api.js';
import { Field } from '../../kit/field.js';
import { plural } from '../../kit/format.js';
import { CodeView } from '../../kit/json-view.js';
import { Empty } from '../../kit/messages.js';
import { PagedView, usePages } from '../../kit/pages.js';
import { go, PageLink } from '../../kit/router.js';
import { Table } from '../../kit/table.js';
import type { BrainEntry } from './types.js';

const PAGE = 500;

interface BrainsAnswer {
  readonly count: number;
  readonly brains: readonly BrainEntry[];
  readonly next?: string;
}

export function BrainList() {
  const [prefix, setPrefix] = useState('');
  const pages = usePages(
    async (after, signal) => {
      const params = { prefix: prefix === '' ? undefined : prefix, size: PAGE, after };
      const { brains, next, count } = await call<BrainsAnswer>('GET', '/_graph', undefined, {
        signal,
        params,
      });
      return { items: brains, next, total: count };
    },
    [prefix],
  );
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (prefix !== '') go('brain', [prefix]);
        }}
      >
        <Field label="Names that begin with" hint="Enter opens a brain by its whole name.">
          {(id, hintId) => (
            <input
              id={id}
              type="search"
              aria-describedby={hintId}
              value={prefix}
              onInput={(event) => setPrefix(event.currentTarget.value.trim())}
            />
          )}
        </Field>
      </form>
      <PagedView of={pages} what="brains" one="brain">
        {(brains) => (
          <>
            <p class="quiet">{plural(pages.total ?? 0, 'brain')} with links</p>
            <Table
              caption="Brains"
              rows={brains}
              keyOf={({ brain }) => brain}
              pageSize={100}
              empty={prefix === '' ? <NoBrains /> : <Empty title="No brain begins so." />}
              columns={[
                {
                  title: 'Brain',
                  isHeader: true,
                  sortBy: ({ brain }) => brain,
                  cell: ({ brain }) => (
                    <PageLink page="brain" parts={[brain]}>
                      {brain}
                    </PageLink>
                  ),
                },
                {
                  title: 'Its documents are in',
                  sortBy: ({ nodes_index }) => nodes_index,
                  cell: ({ nodes_index }) => nodes_index,
                },
              ]}
            />
          </>
        )}
      </PagedView>
    </>
  );
}

function NoBrains() {
  return (
    <Empty title="There are no links yet.">
      <p>
        A brain has links between documents: of memories of one session, asserted by somebody, or
        found by detectors. Name the index whose documents they are to join, then look for links:
      </p>
      <CodeView
        label="Requests that make a brain"
        text={`curl -X PUT ${location.origin}/_graph/wiki -H 'content-type: application/json' -d '{"nodes_index": "wiki"}'\ncurl -X POST ${location.origin}/_graph/wiki/detect`}
      />
    </Empty>
  );
}
