// Settings and aliases of an index.
import { isObject, type JsonObject, jsonText } from '../../kit/json.js';
import { JsonView } from '../../kit/json-view.js';
import { Empty } from '../../kit/messages.js';
import { Table } from '../../kit/table.js';

export function SettingsTab({ settings }: { readonly settings: JsonObject }) {
  return (
    <Table
      caption="Settings that differ from the defaults"
      columns={[
        { title: 'Setting', isHeader: true, cell: ([name]) => name, sortBy: ([name]) => name },
        { title: 'Value', cell: ([, value]) => value },
      ]}
      rows={flatSettings(settings, '')}
      keyOf={([name]) => name}
      filterBy={([name]) => name}
    />
  );
}

function flatSettings(
  settings: JsonObject,
  prefix: string,
): readonly (readonly [string, string])[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    isObject(value)
      ? flatSettings(value, `${prefix}${name}.`)
      : [[prefix + name, typeof value === 'string' ? value : jsonText(value, 0)] as const],
  );
}

export function AliasesTab({
  aliases,
  name,
}: {
  readonly aliases: JsonObject;
  readonly name: string;
}) {
  const entries = Object.entries(aliases);
  if (entries.length === 0) {
    return (
      <Empty title="The index has no alias">
        <p>
          An alias is another name, for several indexes or for a part of one:{' '}
          <code>{`POST /_aliases {"actions":[{"add":{"index":"${name}","alias":"…"}}]}`}</code>
        </p>
      </Empty>
    );
  }
  return (
    <>
      {entries.map(([alias, definition]) => (
        <section key={alias} aria-label={alias}>
          <h3>{alias}</h3>
          <JsonView label={`Definition of ${alias}`} value={definition} />
        </section>
      ))}
    </>
  );
}
