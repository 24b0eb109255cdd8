// The namespaces that the key may use, in pages: each takes a search to count.
import { useState } from 'preact/hooks';
import { call } from '../../kit/api.js';
import { Field } from '../../kit/field.js';
import { bytesText, countText, plural, timeText } from '../../kit/format.js';
import { CodeView } from '../../kit/json-view.js';
import { Badge, Empty } from '../../kit/messages.js';
import { PagedView, usePages } from '../../kit/pages.js';
import { go, PageLink } from '../../kit/router.js';
import { Table } from '../../kit/table.js';
import { StoreDialog } from './store-dialog.js';
import type { NamespacesAnswer } from './types.js';

const PAGE = 100;

export function NamespaceList() {
  const [prefix, setPrefix] = useState('');
  const [isStoring, setStoring] = useState(false);
  const pages = usePages(
    async (after, signal) => {
      const params = { prefix: prefix === '' ? undefined : prefix, size: PAGE, after };
      const { namespaces, next, count } = await call<NamespacesAnswer>(
        'GET',
        '/_memory',
        undefined,
        { signal, params },
      );
      return { items: namespaces, next, total: count };
    },
    [prefix],
  );
  return (
    <>
      <div class="row">
        <Field label="Names that begin with">
          {(id) => (
            <input
              id={id}
              type="search"
              value={prefix}
              onInput={(event) => setPrefix(event.currentTarget.value.trim())}
            />
          )}
        </Field>
        <div class="field">
          <button type="button" onClick={() => setStoring(true)}>
            Store a memory
          </button>
        </div>
      </div>
      <PagedView of={pages} what="namespaces" one="namespace">
        {(namespaces) => (
          <>
            <p class="quiet">{plural(pages.total ?? 0, 'namespace')}</p>
            <Table
              caption="Namespaces"
              rows={namespaces}
              keyOf={({ namespace }) => namespace}
              pageSize={PAGE}
              empty={prefix === '' ? <NoNamespaces /> : <Empty title="No namespace begins so." />}
              columns={[
                {
                  title: 'Namespace',
                  isHeader: true,
                  sortBy: ({ namespace }) => namespace,
                  cell: ({ namespace, unavailable }) => (
                    <>
                      <PageLink page="memory" parts={[namespace]}>
                        {namespace}
                      </PageLink>{' '}
                      {unavailable !== undefined && <Badge kind="wrong">{unavailable}</Badge>}
                    </>
                  ),
                },
                {
                  title: 'Memories',
                  isNumber: true,
                  sortBy: ({ memories }) => memories ?? undefined,
                  cell: ({ memories }) => (memories === null ? '–' : countText(memories)),
                },
                {
                  title: 'Bytes',
                  isNumber: true,
                  sortBy: ({ bytes }) => bytes ?? undefined,
                  cell: ({ bytes }) => (bytes === null ? '–' : bytesText(bytes)),
                },
                {
                  title: 'Last store',
                  sortBy: ({ last_store }) => last_store ?? undefined,
                  cell: ({ last_store }) => (last_store === null ? '–' : timeText(last_store)),
                },
              ]}
            />
          </>
        )}
      </PagedView>
      {isStoring && (
        <StoreDialog
          onStored={(namespace) => go('memory', [namespace])}
          onClose={() => setStoring(false)}
        />
      )}
    </>
  );
}

function NoNamespaces() {
  return (
    <Empty title="There are no memories yet.">
      <p>
        A namespace keeps what one agent, or one person, is to remember. The first memory makes it:
        store one here, or let an agent do it over REST or MCP.
      </p>
      <CodeView
        label="A request that stores a memory"
        text={`curl -X POST ${location.origin}/_memory/ann -H 'content-type: application/json' \\\n  -d '{"text": "Ann lives in Paris", "metadata": {"session": "s1"}}'`}
      />
    </Empty>
  );
}
