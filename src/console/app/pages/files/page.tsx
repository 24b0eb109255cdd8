// What `quarry autoindex` made of folders: the data map, and the files with problems.
import { useState } from 'preact/hooks';
import { call } from '../../kit/api.js';
import { bytesText, countText, plural, timeText } from '../../kit/format.js';
import type { JsonObject } from '../../kit/json.js';
import { CodeView, JsonView } from '../../kit/json-view.js';
import { LoadedView, useAction, useLoad } from '../../kit/load.js';
import { Badge, Empty, ErrorBox, Notice } from '../../kit/messages.js';
import { PageLink } from '../../kit/router.js';
import { Table } from '../../kit/table.js';

interface FileProblem {
  readonly path: string;
  readonly text: string;
}

interface Dataset {
  readonly name: string;
  readonly index: string;
  readonly family: string;
  readonly formats: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly documents: number;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly role: string;
    readonly examples: readonly string[];
  }[];
  readonly queries: readonly Query[];
}

interface Query {
  readonly about: string;
  readonly path: string;
  readonly body: JsonObject;
}

interface Folder {
  readonly root: string;
  readonly prefix: string | null;
  readonly finished_at: number | null;
  readonly files: number;
  readonly bytes: number;
  readonly documents: number;
  readonly problem_count: number;
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
  readonly skipped_count: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly datasets: readonly Dataset[];
}

export function Content() {
  const map = useLoad(
    (signal) =>
      call<{ readonly folders: readonly Folder[] }>('GET', '/v1/autoindex', undefined, { signal }),
    [],
  );
  return (
    <LoadedView of={map} what="the data map">
      {({ folders }) =>
        folders.length === 0 ? (
          <NoFolders />
        ) : (
          folders.map((folder) => (
            <FolderView key={`${folder.prefix} ${folder.root}`} folder={folder} />
          ))
        )
      }
    </LoadedView>
  );
}

function NoFolders() {
  return (
    <Empty title="No folder was indexed yet.">
      <p>
        <code>quarry autoindex</code> turns a folder of files (text, tables, mail, PDF, archives and
        more) into indexes that can be searched by words, by meaning and by numbers. See first what
        would become of it, then write it:
      </p>
      <CodeView
        label="Commands that index a folder"
        text={`quarry autoindex my-folder --dry-run --url ${location.origin}\nquarry autoindex my-folder --yes --url ${location.origin}`}
      />
    </Empty>
  );
}

function FolderView({ folder }: { readonly folder: Folder }) {
  const { root, prefix, finished_at, files, bytes, documents, datasets } = folder;
  const { problems, problem_count, skipped, skipped_count } = folder;
  const texts = problems.map(({ path, problem }) => ({ path, text: problem }));
  return (
    <section class="panel" aria-label={root}>
      <h2 class="name">{root}</h2>
      <dl class="facts">
        <dt>Files</dt>
        <dd>
          {countText(files)}, {bytesText(bytes)}
        </dd>
        <dt>Documents</dt>
        <dd>{countText(documents)}</dd>
        <dt>Index names begin with</dt>
        <dd>{prefix ?? '–'}</dd>
        <dt>Last written</dt>
        <dd>{finished_at === null ? 'by an earlier version' : timeText(finished_at)}</dd>
      </dl>
      {problem_count > 0 && (
        <Notice kind="warning">
          {plural(problem_count, 'file')} could not be read whole. Mend or remove them and run{' '}
          <code>quarry autoindex</code> again: it writes only what has changed.
        </Notice>
      )}
      <FileTable title="Files with problems" count={problem_count} files={texts} isOpen />
      <FileTable
        title="Files that were passed over"
        count={skipped_count}
        files={skipped.map(({ path, reason }) => ({ path, text: reason }))}
      />
      <h3>Data</h3>
      {datasets.length === 0 && <p class="quiet">No dataset was made of it.</p>}
      {datasets.map((dataset) => (
        <DatasetView key={dataset.index} dataset={dataset} />
      ))}
    </section>
  );
}

function FileTable({
  title,
  count,
  files,
  isOpen = false,
}: {
  readonly title: string;
  readonly count: number;
  readonly files: readonly FileProblem[];
  readonly isOpen?: boolean;
}) {
  if (count === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        {title} ({countText(count)})
      </summary>
      {files.length < count && (
        <p class="quiet">{`The first ${countText(files.length)} are shown.`}</p>
      )}
      <Table
        caption={title}
        rows={files}
        keyOf={({ path, text }) => `${path} ${text}`}
        filterBy={({ path, text }) => `${path} ${text}`}
        columns={[
          { title: 'File', isHeader: true, sortBy: ({ path }) => path, cell: ({ path }) => path },
          { title: 'Why', sortBy: ({ text }) => text, cell: ({ text }) => text },
        ]}
      />
    </details>
  );
}

function DatasetView({ dataset }: { readonly dataset: Dataset }) {
  const { index, family, formats, files, bytes, documents, fields, queries } = dataset;
  return (
    <details class="panel">
      <summary>
        <strong>{index}</strong> <Badge>{family}</Badge>{' '}
        {`${plural(documents, 'document')} of ${plural(files, 'file')} (${formats.join(', ')}), ${bytesText(bytes)}`}
      </summary>
      <p>
        <PageLink page="search" params={{ index }}>
          Search it
        </PageLink>{' '}
        ·{' '}
        <PageLink page="indexes" parts={[index]}>
          Its mapping and settings
        </PageLink>
      </p>
      <Table
        caption={`Fields of ${index}`}
        rows={fields}
        keyOf={({ name }) => name}
        filterBy={({ name, type, role }) => `${name} ${type} ${role}`}
        columns={[
          { title: 'Field', isHeader: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
          { title: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => type },
          { title: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => role },
          { title: 'Examples', cell: ({ examples }) => examples.join(' | ') },
        ]}
      />
      {queries.map((query) => (
        <QueryView key={query.about} query={query} />
      ))}
    </details>
  );
}

/** Runs only searches: the map is data, which others may have written. */
const SEARCH_PATH = /^\/[^/?#]+\/_search$/;

function QueryView({ query: { about, path, body } }: { readonly query: Query }) {
  const [answer, setAnswer] = useState<unknown>();
  const { isRunning, error, run } = useAction(async () => {
    setAnswer(await call('POST', path, body));
  });
  return (
    <details>
      <summary>{about}</summary>
      <CodeView label={`The request ${about}`} text={`POST ${path}`} />
      <JsonView label={`The body of the request ${about}`} value={body} />
      {SEARCH_PATH.test(path) && (
        <button type="button" disabled={isRunning} onClick={run}>
          Try it
        </button>
      )}
      {error !== undefined && <ErrorBox error={error} />}
      {answer !== undefined && <JsonView label={`The answer of ${about}`} value={answer} />}
    </details>
  );
}
