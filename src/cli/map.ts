// `quarry map`: prints the catalog that autoindex has written, for people and for agents.
import { type CatalogEntry, readCatalog } from '../autoindex/catalog.js';
import { Client } from '../autoindex/client.js';
import { bytesText } from '../base/bytes-text.js';
import { keyOf, urlOf } from './client.js';
import { argumentsOf } from './reading.js';
import { printable } from './terminal.js';
import type { VerbContext } from './verb.js';

export async function printMap(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const { values, environment, print, json } = context;
  const [url, apiKey] = [urlOf(values, environment), keyOf(values, environment)];
  const entries = await readCatalog(new Client({ url, apiKey }));
  if (json) print(JSON.stringify({ url, datasets: entries }));
  else if (entries.length === 0) print('No map yet: quarry autoindex PATH writes one.');
  else {
    const key = apiKey === undefined ? '' : ` -H "authorization: ApiKey $QUARRY_API_KEY"`;
    for (const entry of entries) for (const line of mapLines(entry, url, key)) print(line);
  }
  return 0;
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
