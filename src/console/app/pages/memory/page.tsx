// The memories of agents: namespaces, and one namespace with its timeline, recall, audit and export.
import { useState } from 'preact/hooks';
import { PageLink, replaceParams, route } from '../../kit/router.js';
import { Tabs } from '../../kit/tabs.js';
import { AuditView } from './audit.js';
import { MemoryDialog } from './memory-dialog.js';
import { NamespaceList } from './namespace-list.js';
import { RecallView } from './recall.js';
import { StoreDialog } from './store-dialog.js';
import { Timeline } from './timeline.js';
import { TransferView } from './transfer.js';

export function Content() {
  const [namespace] = route.value.parts;
  return namespace === undefined || namespace === '' ? (
    <NamespaceList />
  ) : (
    <NamespaceView key={namespace} namespace={namespace} />
  );
}

function NamespaceView({ namespace }: { readonly namespace: string }) {
  const [opened, setOpened] = useState<string>();
  const [isStoring, setStoring] = useState(false);
  /** Increases with every change that was made here, so that lists are loaded again. */
  const [version, setVersion] = useState(0);
  const changed = (): void => setVersion((before) => before + 1);
  const props = { namespace, version, onOpen: setOpened, onChanged: changed };
  return (
    <>
      <div class="actions">
        <PageLink page="memory">All namespaces</PageLink>
        <h2 class="name">{namespace}</h2>
        <button type="button" onClick={() => setStoring(true)}>
          Store a memory
        </button>
        <PageLink page="brain" parts={[namespace]}>
          Its links
        </PageLink>
      </div>
      <Tabs
        label="Views of the namespace"
        current={route.value.params.get('tab')}
        onChange={(tab) => replaceParams({ tab })}
        tabs={[
          { name: 'timeline', title: 'Timeline', content: () => <Timeline {...props} /> },
          { name: 'recall', title: 'Recall', content: () => <RecallView {...props} /> },
          { name: 'audit', title: 'Audit', content: () => <AuditView {...props} /> },
          {
            name: 'transfer',
            title: 'Export and import',
            content: () => <TransferView {...props} />,
          },
        ]}
      />
      {opened !== undefined && (
        <MemoryDialog
          key={opened}
          namespace={namespace}
          id={opened}
          onOpen={setOpened}
          onChanged={changed}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isStoring && (
        <StoreDialog namespace={namespace} onStored={changed} onClose={() => setStoring(false)} />
      )}
    </>
  );
}
