// One index: what it holds, and what can be done with it.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { bytesText, plural } from '../../kit/format.js';
import type { JsonObject } from '../../kit/json.js';
import { LoadedView, useAction, useLoad } from '../../kit/load.js';
import { ErrorBox, Progress } from '../../kit/messages.js';
import { go, href, replaceParams, route } from '../../kit/router.js';
import { Tabs } from '../../kit/tabs.js';
import { AliasesTab, SettingsTab } from './about-tabs.js';
import { AnalyzeTab } from './analyze-tab.js';
import { MappingTab } from './mapping-tab.js';
import { SegmentsTab } from './segments-tab.js';

export interface IndexAnswer {
  readonly aliases: JsonObject;
  readonly mappings: JsonObject;
  readonly settings: JsonObject;
}

interface StatsAnswer {
  readonly _all: {
    readonly primaries: {
      readonly docs: { readonly count: number; readonly deleted: number };
      readonly store: { readonly size_in_bytes: number };
    };
  };
}

export function IndexView({ name }: { readonly name: string }) {
  const index = useLoad(
    (signal) =>
      call<Readonly<Record<string, IndexAnswer>>>('GET', path`/${name}`, undefined, { signal }),
    [name],
  );
  const stats = useLoad(
    (signal) => call<StatsAnswer>('GET', path`/${name}/_stats/docs,store`, undefined, { signal }),
    [name],
  );
  return (
    <>
      <p>
        <a href={href('indexes')}>All indexes</a>
      </p>
      <h2 class="name">{name}</h2>
      {stats.value !== undefined && <Size stats={stats.value} />}
      <Actions name={name} onChanged={stats.reload} />
      <LoadedView of={index} what="the index">
        {(answer) =>
          // Behind an alias are one or more indexes, under their own names.
          Object.entries(answer).map(([real, one]) => (
            <IndexTabs key={real} name={real} answer={one} isAlias={real !== name} />
          ))
        }
      </LoadedView>
    </>
  );
}

function Size({ stats: { _all } }: { readonly stats: StatsAnswer }) {
  const { docs, store } = _all.primaries;
  return (
    <p>
      {plural(docs.count, 'document')}, {plural(docs.deleted, 'deleted document')} that no merge has
      removed, {bytesText(store.size_in_bytes)}
    </p>
  );
}

function IndexTabs({
  name,
  answer: { mappings, settings, aliases },
  isAlias,
}: {
  readonly name: string;
  readonly answer: IndexAnswer;
  readonly isAlias: boolean;
}) {
  return (
    <>
      {isAlias && <h3>{name}</h3>}
      <Tabs
        label={`Parts of ${name}`}
        current={route.value.params.get('tab')}
        onChange={(tab) => replaceParams({ tab })}
        tabs={[
          {
            name: 'mapping',
            title: 'Mapping',
            content: () => <MappingTab name={name} mappings={mappings} />,
          },
          {
            name: 'settings',
            title: 'Settings',
            content: () => <SettingsTab settings={settings} />,
          },
          {
            name: 'aliases',
            title: 'Aliases',
            content: () => <AliasesTab aliases={aliases} name={name} />,
          },
          { name: 'segments', title: 'Segments', content: () => <SegmentsTab name={name} /> },
          {
            name: 'analyze',
            title: 'Analyze',
            content: () => <AnalyzeTab name={name} mappings={mappings} />,
          },
        ]}
      />
    </>
  );
}

function Actions({ name, onChanged }: { readonly name: string; readonly onChanged: () => void }) {
  const [dialog, setDialog] = useState<'drop' | 'merge'>();
  const refresh = useAction(async () => {
    await call('POST', path`/${name}/_refresh`);
    announce('The index was refreshed');
    onChanged();
  });
  const merge = useAction(async () => {
    await call('POST', path`/${name}/_forcemerge`, undefined, { params: { max_num_segments: 1 } });
    announce('The index was merged');
    onChanged();
  });
  return (
    <>
      <div class="actions">
        <a class="button" href={href('search', [], { index: name })}>
          Search
        </a>
        <button type="button" disabled={refresh.isRunning} onClick={refresh.run}>
          Refresh
        </button>
        <button type="button" disabled={merge.isRunning} onClick={() => setDialog('merge')}>
          Merge
        </button>
        <button type="button" class="danger" onClick={() => setDialog('drop')}>
          Drop
        </button>
      </div>
      {merge.isRunning && <Progress label="Merging to one segment for each shard" />}
      {[refresh.error, merge.error].map(
        (error) => error !== undefined && <ErrorBox key={error.type} error={error} />,
      )}
      {dialog === 'merge' && (
        <ConfirmDialog
          title="Merge the index"
          action="Merge"
          // The dialog does not wait: a merge may take long, and goes on if the page is left.
          onConfirm={async () => merge.run()}
          onClose={() => setDialog(undefined)}
        >
          <p>
            All segments of each shard are joined into one. It costs reading and writing the whole
            index, and is worth it for indexes that are no longer written.
          </p>
        </ConfirmDialog>
      )}
      {dialog === 'drop' && (
        <ConfirmDialog
          title="Drop the index"
          word={name}
          action="Drop the index"
          onConfirm={async () => {
            await call('DELETE', path`/${name}`);
            announce('The index was dropped');
            go('indexes');
          }}
          onClose={() => setDialog(undefined)}
        >
          <p>
            <code>{name}</code> and all its documents are removed for good. Only a snapshot brings
            them back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
