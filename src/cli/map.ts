// `quarry map`: prints the catalog that autoindex has written, for people and for agents.
import { type CatalogEntry, readCatalog } from '../autoindex/catalog.js';
import { Client } from '../autoindex/client.js';
import { ConfigError } from '../config/load.js';
import { bytesText } from './bytes-text.js';
import { type Environment, keyOf, readClientFlags, urlOf } from './client.js';
import { printable } from './terminal.js';

export interface MapArguments {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly json: boolean;
}

/** Throws ConfigError for anything except [--url URL] [--api-key KEY] [--json]. */
export function readMapArguments(args: readonly string[], environment: Environment): MapArguments {
  const { values, switches, rest } = readClientFlags('map', args, ['url', 'api-key'], ['json']);
  if (rest[0] !== undefined) throw new ConfigError(`map takes no argument, not [${rest[0]}]`);
  return {
    url: urlOf(values, environment),
    apiKey: keyOf(values, environment),
    json: switches.has('json'),
  };
}

export async function printMap(args: MapArguments, print: (line: string) => void): Promise<void> {
  const entries = await readCatalog(new Client(args));
  if (args.json) print(JSON.stringify({ url: args.url, datasets: entries }));
  else if (entries.length === 0) print('No map yet: quarry autoindex PATH writes one.');
  else {
    const key = args.apiKey === undefined ? '' : ` -H "authorization: ApiKey $QUARRY_API_KEY"`;
    for (const entry of entries) for (const line of mapLines(entry, args.url, key)) print(line);
  }
}

/** `key` holds further arguments of curl, such as the authorization header. */
export function mapLines(entry: CatalogEntry, url: string, key = ''): readonly string[] {
  const { index, family, files, bytes, documents, formats, root } = entry;
  const names = entry.fields.map(({ name }) => Math.min(40, name.length));
  const width = Math.max(5, ...names);
  return [
    `${index}  (${family})`,
    `  ${documents} documents of ${files} files (${formats.join(', ')}), ${bytesText(bytes)}, below ${oneLine(root, root.length)}`,
    `  ${'field'.padEnd(width)}  ${'type'.padEnd(8)} ${'role'.padEnd(9)} examples`,
    ...entry.fields.map(
      ({ name, type, role, examples }) =>
        `  ${oneLine(name).padEnd(width)}  ${type.padEnd(8)} ${role.padEnd(9)} ${examples.map((one) => oneLine(one)).join(' | ')}`,
    ),
    ...entry.queries.flatMap(({ about, path, body }) => [
      `  ${oneLine(about)}:`,
      `    curl -s${key} -H 'content-type: application/json' '${url}${path}' -d '${quoted(body)}'`,
    ]),
    '',
  ];
}

/** Removes characters by which file content could control the terminal. */
function oneLine(text: string, characters = 40): string {
  return printable(text.replace(/\s+/g, ' ')).slice(0, characters);
}

/** JSON inside single quotes of a shell; invisible characters are escaped. */
function quoted(body: object): string {
  const plain = JSON.stringify(body).replaceAll("'", "'\\''");
  return plain.replace(/[\p{Cc}\p{Cf}]/gu, (letter) =>
    [...Array(letter.length).keys()]
      .map((i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
