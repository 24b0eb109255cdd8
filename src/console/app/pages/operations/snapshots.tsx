// Snapshot repositories and their snapshots; takes and deletes snapshots.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { ConfirmDialog, Dialog } from '../../kit/dialog.js';
import { Field } from '../../kit/field.js';
import { countText, durationText, plural, timeText } from '../../kit/format.js';
import { CodeView } from '../../kit/json-view.js';
import { LoadedView, useAction, useLoad } from '../../kit/load.js';
import { Badge, Empty, ErrorBox, type NoticeKind, Progress } from '../../kit/messages.js';
import { Table } from '../../kit/table.js';

interface Repository {
  readonly type: string;
  readonly settings: { readonly location?: string };
}

interface Snapshot {
  readonly snapshot: string;
  readonly state: string;
  readonly indices: readonly string[];
  readonly start_time_in_millis: number;
  readonly duration_in_millis: number;
  readonly shards: {
    readonly total: number;
    readonly failed: number;
    readonly successful: number;
  };
}

interface RunningSnapshot {
  readonly snapshot: string;
  readonly repository: string;
  readonly shards_stats: { readonly done: number; readonly total: number };
}

const POLL_MS = 2000;

export function SnapshotsView() {
  const repositories = useLoad(
    (signal) =>
      call<Readonly<Record<string, Repository>>>('GET', '/_snapshot', undefined, { signal }),
    [],
  );
  const running = useLoad(
    (signal) =>
      call<{ readonly snapshots: readonly RunningSnapshot[] }>(
        'GET',
        '/_snapshot/_status',
        undefined,
        { signal },
      ),
    [],
    { everyMs: POLL_MS },
  );
  const active = running.value?.snapshots ?? [];
  return (
    <LoadedView of={repositories} what="snapshot repositories">
      {(value) => (
        <>
          {active.map(({ snapshot, repository, shards_stats }) => (
            <Progress
              key={`${repository} ${snapshot}`}
              label={`${repository}: ${snapshot}, ${shards_stats.done} of ${plural(shards_stats.total, 'shard')}`}
              value={shards_stats.total === 0 ? 0 : shards_stats.done / shards_stats.total}
            />
          ))}
          {Object.keys(value).length === 0 ? (
            <NoRepositories />
          ) : (
            Object.entries(value).map(([name, repository]) => (
              <RepositoryView
                key={name}
                name={name}
                repository={repository}
                active={active.length}
              />
            ))
          )}
        </>
      )}
    </LoadedView>
  );
}

function NoRepositories() {
  return (
    <Empty title="There is no snapshot repository.">
      <p>
        Start the service with a folder that repositories may lie in (
        <code>--snapshot.path /backups</code>), then register one:
      </p>
      <CodeView
        label="A request that registers a repository"
        text={`curl -X PUT ${location.origin}/_snapshot/mine -H 'content-type: application/json' \\\n  -d '{"type": "fs", "settings": {"location": "mine"}}'`}
      />
    </Empty>
  );
}

const STATES: Readonly<Record<string, NoticeKind>> = {
  SUCCESS: 'good',
  IN_PROGRESS: 'info',
  PARTIAL: 'warning',
  FAILED: 'wrong',
};

function RepositoryView({
  name,
  repository: { type, settings },
  active,
}: {
  readonly name: string;
  readonly repository: Repository;
  /** Number of running snapshots: when it changes, the list is loaded again. */
  readonly active: number;
}) {
  const [isTaking, setTaking] = useState(false);
  const [deleting, setDeleting] = useState<string>();
  const snapshots = useLoad(
    (signal) =>
      call<{ readonly snapshots: readonly Snapshot[] }>(
        'GET',
        path`/_snapshot/${name}/_all`,
        undefined,
        { signal },
      ),
    [name, active],
  );
  return (
    <section class="panel" aria-label={`Repository ${name}`}>
      <h2>
        {name} <span class="quiet">{`${type} ${settings.location ?? ''}`}</span>
      </h2>
      <LoadedView of={snapshots} what={`the snapshots of ${name}`}>
        {(value) => (
          <Table
            caption={`Snapshots of ${name}`}
            rows={value.snapshots}
            keyOf={({ snapshot }) => snapshot}
            filterBy={({ snapshot, indices }) => `${snapshot} ${indices.join(' ')}`}
            empty={<Empty title="It has no snapshot yet." />}
            columns={[
              {
                title: 'Snapshot',
                isHeader: true,
                sortBy: ({ snapshot }) => snapshot,
                cell: ({ snapshot }) => snapshot,
              },
              {
                title: 'State',
                sortBy: ({ state }) => state,
                cell: ({ state }) => <Badge kind={STATES[state] ?? 'info'}>{state}</Badge>,
              },
              {
                title: 'Started',
                sortBy: ({ start_time_in_millis }) => start_time_in_millis,
                cell: ({ start_time_in_millis }) => timeText(start_time_in_millis),
              },
              {
                title: 'Took',
                isNumber: true,
                sortBy: ({ duration_in_millis }) => duration_in_millis,
                cell: ({ duration_in_millis }) => durationText(duration_in_millis),
              },
              {
                title: 'Indexes',
                isNumber: true,
                sortBy: ({ indices }) => indices.length,
                cell: ({ indices }) => countText(indices.length),
              },
              {
                title: 'Shards',
                isNumber: true,
                cell: ({ shards }) =>
                  shards.failed > 0
                    ? `${shards.successful} of ${shards.total}`
                    : countText(shards.total),
              },
              {
                title: 'Delete',
                cell: ({ snapshot }) => (
                  <button
                    type="button"
                    class="danger"
                    aria-label={`Delete ${snapshot}`}
                    onClick={() => setDeleting(snapshot)}
                  >
                    Delete
                  </button>
                ),
              },
            ]}
          />
        )}
      </LoadedView>
      <div class="actions">
        <button type="button" onClick={() => setTaking(true)}>
          Take a snapshot
        </button>
      </div>
      {isTaking && (
        <TakeDialog repository={name} onTaken={snapshots.reload} onClose={() => setTaking(false)} />
      )}
      {deleting !== undefined && (
        <ConfirmDialog
          title="Delete the snapshot"
          word={deleting}
          action="Delete it for good"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await call('DELETE', path`/_snapshot/${name}/${deleting}`);
            announce('The snapshot was deleted');
            snapshots.reload();
          }}
        >
          <p>The snapshot and the files that only it needs are removed.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function TakeDialog({
  repository,
  onTaken,
  onClose,
}: {
  readonly repository: string;
  readonly onTaken: () => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(`console-${new Date().toISOString().slice(0, 10)}`);
  const [indices, setIndices] = useState('*');
  const { isRunning, error, run } = useAction(async () => {
    await call('PUT', path`/_snapshot/${repository}/${name}`, { indices });
    announce('The snapshot has begun');
    onTaken();
    onClose();
  });
  return (
    <Dialog title={`Take a snapshot into ${repository}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Indexes" hint="Names and patterns, with commas">
          {(id, hintId) => (
            <input
              id={id}
              required
              aria-describedby={hintId}
              value={indices}
              onInput={(event) => setIndices(event.currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <ErrorBox error={error} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning || name === ''}>
            Take it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
