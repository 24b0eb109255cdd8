// The API keys with their rights. They are made and revoked on the machine of the service.
import { call } from '../../kit/api.js';
import { timeText } from '../../kit/format.js';
import { CodeView } from '../../kit/json-view.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Badge, Empty } from '../../kit/messages.js';
import { session } from '../../kit/session.js';
import { Table } from '../../kit/table.js';

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly creation: number;
  readonly expiration?: number;
  readonly invalidated: boolean;
  readonly metadata: { readonly quota?: Readonly<Record<string, number>> };
  readonly role_descriptors: Readonly<
    Record<
      string,
      {
        readonly indices: readonly {
          readonly names: readonly string[];
          readonly privileges: readonly string[];
        }[];
      }
    >
  >;
}

export function KeysView() {
  const keys = useLoad(
    (signal) =>
      call<{ readonly api_keys: readonly ApiKey[] }>('GET', '/_security/api_key', undefined, {
        signal,
      }),
    [],
  );
  // Without keys, the service has no list of them.
  if (keys.error?.status === 400 && session.value.key === undefined) return <KeysAreOff />;
  return (
    <LoadedView of={keys} what="the keys">
      {({ api_keys }) => (
        <>
          <p class="quiet">
            Keys are made and revoked on the machine of the service: <code>quarry keys create</code>{' '}
            and <code>quarry keys revoke</code>. A secret is shown once, when it is made.
          </p>
          <Table
            caption="Keys"
            rows={api_keys}
            keyOf={({ id }) => id}
            filterBy={({ id, name }) => `${id} ${name}`}
            columns={[
              {
                title: 'Name',
                isHeader: true,
                sortBy: ({ name }) => name,
                cell: ({ name }) => name,
              },
              { title: 'Id', cell: ({ id }) => <code>{id}</code> },
              {
                title: 'State',
                sortBy: (key) => stateOf(key),
                cell: (key) => (
                  <Badge kind={stateOf(key) === 'valid' ? 'good' : 'warning'}>{stateOf(key)}</Badge>
                ),
              },
              { title: 'Privileges', cell: (key) => rightsOf(key).privileges },
              { title: 'Indexes', cell: (key) => rightsOf(key).names },
              {
                title: 'Created',
                sortBy: ({ creation }) => creation,
                cell: ({ creation }) => timeText(creation),
              },
              {
                title: 'Expires',
                sortBy: ({ expiration }) => expiration,
                cell: ({ expiration }) => (expiration === undefined ? '–' : timeText(expiration)),
              },
              {
                title: 'Quota',
                cell: ({ metadata: { quota } }) =>
                  quota === undefined
                    ? '–'
                    : Object.entries(quota)
                        .map(([what, limit]) => `${what} ${limit}`)
                        .join(', '),
              },
            ]}
          />
        </>
      )}
    </LoadedView>
  );
}

function stateOf({ invalidated, expiration }: ApiKey): 'valid' | 'revoked' | 'expired' {
  if (invalidated) return 'revoked';
  return expiration !== undefined && expiration <= Date.now() ? 'expired' : 'valid';
}

function rightsOf({ role_descriptors }: ApiKey): {
  readonly names: string;
  readonly privileges: string;
} {
  const all = Object.values(role_descriptors).flatMap(({ indices }) => indices);
  const names = all.flatMap((one) => one.names).join(', ');
  return { names, privileges: all.flatMap(({ privileges }) => privileges).join(', ') };
}

function KeysAreOff() {
  return (
    <Empty title="No key is needed here.">
      <p>
        Everybody who reaches the service may read and change everything. To ask for keys, make one
        and switch them on:
      </p>
      <CodeView
        label="Commands that switch keys on"
        text={
          'quarry keys create --name me --privileges read,write,manage\nquarry serve --auth.enabled'
        }
      />
    </Empty>
  );
}
