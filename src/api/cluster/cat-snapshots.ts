// The _cat tables of snapshot repositories and their snapshots.
import { splitList } from '../kit/params.js';
import { type Answer, type ApiDeps, type ApiRequest, part, type Route } from '../kit/routes.js';
import { type Column, type Row, TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { NODE } from '../schemas/node.js';

const REPOSITORY_COLUMNS: readonly Column[] = [
  { name: 'id', aliases: ['repoId'], about: 'unique repository id', shown: true },
  { name: 'type', aliases: ['t'], about: 'repository type', shown: true },
];

const counts = (name: string, aliases: readonly string[], about: string): Column => ({
  name,
  aliases,
  about,
  shown: true,
  right: true,
});

const SNAPSHOT_COLUMNS: readonly Column[] = [
  { name: 'id', aliases: ['snapshot'], about: 'unique snapshot', shown: true },
  { name: 'repository', aliases: ['re', 'repo'], about: 'repository name', shown: true },
  { name: 'status', aliases: ['s'], about: 'snapshot status', shown: true },
  counts('start_epoch', ['ste', 'startEpoch'], 'start time in seconds since 1970-01-01 00:00:00'),
  {
    name: 'start_time',
    aliases: ['sti', 'startTime'],
    about: 'start time in HH:MM:SS',
    shown: true,
  },
  counts('end_epoch', ['ete', 'endEpoch'], 'end time in seconds since 1970-01-01 00:00:00'),
  { name: 'end_time', aliases: ['eti', 'endTime'], about: 'end time in HH:MM:SS', shown: true },
  counts('duration', ['dur'], 'duration'),
  counts('indices', ['i'], 'number of indices'),
  counts('successful_shards', ['ss'], 'number of successful shards'),
  counts('failed_shards', ['fs'], 'number of failed shards'),
  counts('total_shards', ['ts'], 'number of total shards'),
  { name: 'reason', aliases: ['r'], about: 'reason for failures', shown: false },
];

export function catSnapshotRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.catRepositories,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_cat/repositories'],
      params: TABLE_PARAMS,
      handler: (r) => {
        const rows = [...deps.snapshots.repositories.list([])];
        return tableAnswer(
          r,
          REPOSITORY_COLUMNS,
          rows.map(([id, { place }]) => ({ id, type: place.type })),
        );
      },
    },
    {
      schema: NODE.catSnapshots,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_cat/snapshots', '/_cat/snapshots/:repository'],
      params: [...TABLE_PARAMS, 'ignore_unavailable'],
      handler: (r) => snapshots(deps, r),
    },
  ];
}

async function snapshots(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  request.params.flag('ignore_unavailable');
  const rows: Row[] = [];
  const requested = splitList(part(request, 'repository'));
  for (const repository of deps.snapshots.repositories.list(requested).keys()) {
    for (const shown of await deps.snapshots.list(repository, [], true)) {
      const { startMs, endMs, shards } = shown;
      rows.push({
        id: shown.name,
        repository,
        status: shown.state,
        start_epoch: seconds(startMs),
        start_time: clock(startMs),
        end_epoch: seconds(endMs),
        end_time: clock(endMs),
        duration: `${((endMs || deps.nowMs()) - startMs) / 1000}s`,
        indices: shown.indices.length,
        successful_shards: shards.successful,
        failed_shards: shards.failed,
        total_shards: shards.total,
        reason: shown.reason ?? null,
      });
    }
  }
  return tableAnswer(request, SNAPSHOT_COLUMNS, rows);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Time of day in UTC as HH:MM:SS. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
