// Content negotiation: accepted media types of request bodies, and the media type of the answer
// according to `format` or `Accept`.

import { trimFieldValue } from '../../base/field-value.js';
import { QuarryError } from '../../errors.js';

const JSON_TYPE = /^application\/(vnd\.elasticsearch\+)?json$/;
const NDJSON_TYPE = /^application\/((vnd\.elasticsearch\+)?x-ndjson|ndjson)$/;
const YAML_TYPE = /^application\/(vnd\.elasticsearch\+)?yaml$/;
/** Accepted values of `format`; tables accept `text` too. */
const FORMATS: Readonly<Record<string, string>> = {
  json: 'json',
  'application/json': 'json',
  yaml: 'yaml',
  'application/yaml': 'yaml',
};
const TEXT_TYPES = new Set(['text/plain', 'text/*']);
const VERSIONS = new Set(['8', '9', '7']);

interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Cache of parsed header values, since clients repeat a few of them. When it is full, further
 * values are parsed each time.
 */
const READ = new Map<string, MediaType>();
const MOST_READ = 100;
const LONGEST_READ = 200;

function parseMediaType(text: string): MediaType {
  const known = READ.get(text);
  if (known !== undefined) return known;
  const media = readMediaType(text);
  if (READ.size < MOST_READ && text.length <= LONGEST_READ) READ.set(text, media);
  return media;
}

function readMediaType(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map(trimFieldValue);
  const parameters = rest.map((part) => {
    const [name = '', value = ''] = part.split('=').map(trimFieldValue);
    return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1').toLowerCase()] as const;
  });
  return { type: type.toLowerCase(), parameters: new Map(parameters) };
}

function versionFits(media: MediaType): boolean {
  const version = media.parameters.get('compatible-with');
  return version === undefined || VERSIONS.has(version);
}

/**
 * Rejects a body whose media type the route does not accept (415). `ndjson`: the route accepts
 * NDJSON.
 */
export function checkContentType(header: string | undefined, ndjson: boolean): void {
  if (header === undefined) {
    throw new QuarryError(
      'media_type_header_exception',
      'Content-Type header is missing, send application/json',
      {
        status: 415,
      },
    );
  }
  const media = parseMediaType(header);
  const charset = media.parameters.get('charset');
  const known = JSON_TYPE.test(media.type) || (ndjson && NDJSON_TYPE.test(media.type));
  if (
    known &&
    versionFits(media) &&
    (charset === undefined || charset === 'utf-8' || charset === 'utf8')
  )
    return;
  const right = ndjson ? 'application/x-ndjson or application/json' : 'application/json';
  throw new QuarryError(
    'media_type_header_exception',
    `Content-Type header [${header}] is not supported, send ${right}`,
    { status: 415 },
  );
}

/**
 * The Content-Type of an answer other than text; status 406 if the client accepts neither JSON nor
 * YAML.
 */
export function answerType(accept: string | undefined, format?: string): string {
  if (format !== undefined && format !== 'text') {
    if (formatOf(format) === 'yaml') return 'application/yaml';
    return prefersYaml(accept) ? 'application/json' : answerType(accept);
  }
  if (accept === undefined || accept === '') return 'application/json';
  let text = false;
  for (const part of accept.split(',')) {
    const media = parseMediaType(part);
    if (media.type === '*/*' || media.type === 'application/*') return 'application/json';
    if (JSON_TYPE.test(media.type) && versionFits(media)) return withVersion(media);
    if (NDJSON_TYPE.test(media.type) && versionFits(media)) return withVersion(media);
    if (YAML_TYPE.test(media.type) && versionFits(media)) return 'application/yaml';
    // Tables and metrics are text. A client that requests text from a JSON route gets JSON, as from
    // Elasticsearch.
    if (TEXT_TYPES.has(media.type)) text = true;
  }
  if (text) return 'application/json';
  throw new QuarryError(
    'media_type_header_exception',
    `Accept header [${accept}] is not supported, ask for application/json or application/yaml`,
  );
}

function withVersion(media: MediaType): string {
  const version = media.parameters.get('compatible-with');
  if (!media.type.includes('vnd.elasticsearch')) return 'application/json';
  const suffix = version === undefined ? '' : `;compatible-with=${version}`;
  return `application/vnd.elasticsearch+json${suffix}`;
}

/** The serialisation that `format` selects; rejects unsupported values. */
export function formatOf(format: string): string {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  throw new QuarryError(
    'illegal_argument_exception',
    `format [${format}] is not supported, ask for [json] or [yaml], or for [text] from the _cat routes`,
  );
}

/** Whether the client of a _cat route prefers JSON or YAML to the text table. */
export function prefersData(accept: string | undefined): boolean {
  const type = firstType(accept);
  return type !== undefined && (JSON_TYPE.test(type) || YAML_TYPE.test(type));
}

function prefersYaml(accept: string | undefined): boolean {
  return YAML_TYPE.test(firstType(accept) ?? '');
}

function firstType(accept: string | undefined): string | undefined {
  return accept?.split(',').map((part) => parseMediaType(part).type)[0];
}

export function isYaml(type: string): boolean {
  return type === 'application/yaml';
}
