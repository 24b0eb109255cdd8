// Schemas of the routes that say how the service does and what `quarry autoindex` made of folders.
import {
  about,
  anything,
  choice,
  count,
  document,
  flag,
  list,
  map,
  object,
  orNull,
  type RouteSchema,
  text,
  whole,
} from './kinds.js';

const problems = list(object({ path: text, problem: text }));

export const DIAGNOSTICS = {
  doctor: {
    id: 'doctor',
    summary: 'Returns what is right and wrong with the service, each problem with its remedy.',
    tag: 'node',
    answers: {
      200: object({
        sound: about(flag, 'Nothing is wrong; warnings do not count.'),
        findings: list(
          object({
            what: text,
            state: choice('good', 'warning', 'wrong'),
            found: text,
            'remedy?': text,
          }),
        ),
      }),
    },
  },
  slowSearches: {
    id: 'slow_searches',
    summary: 'Returns the latest slow searches, the newest first, without values.',
    tag: 'node',
    params: {
      size: about({ type: 'integer', minimum: 1, maximum: 200 }, 'Searches of the answer.'),
    },
    answers: {
      200: object({
        total: about(count, 'Since the start; the latest 200 are retained.'),
        thresholds_ms: about(map(whole), 'By level; -1 for none. Settings of indexes come first.'),
        searches: list(
          object({
            at: whole,
            level: choice('warn', 'info', 'debug', 'trace'),
            phase: choice('query', 'fetch'),
            took_ms: { type: 'number' },
            indexes: list(text),
            index_count: count,
            mode: text,
            phases_ms: map({ type: 'number' }),
            work: map(count),
            shape: about(document, 'The body with `?` in place of values.'),
            'request_id?': text,
            'opaque_id?': text,
          }),
        ),
      }),
    },
  },
  configuration: {
    id: 'configuration',
    summary: 'Returns the configuration and where each value comes from, without secrets.',
    tag: 'node',
    answers: {
      200: object({
        file: about(orNull(text), 'The path of the file that was given.'),
        settings: map(
          object({
            value: anything,
            origin: choice('default', 'file', 'environment', 'flag', 'cluster_setting'),
            default: anything,
            'unit?': text,
            reloadable: about(flag, 'SIGHUP applies a new value; otherwise a restart does.'),
            environment: text,
            about: text,
          }),
        ),
      }),
    },
  },
  dataMap: {
    id: 'data_map',
    summary: 'Returns what `quarry autoindex` made of folders, and the files with problems.',
    tag: 'node',
    answers: {
      200: object({
        folders: list(
          object({
            root: text,
            prefix: orNull(text),
            finished_at: orNull(whole),
            files: count,
            bytes: count,
            documents: count,
            problem_count: count,
            problems: about(problems, 'The first 1,000.'),
            skipped_count: count,
            skipped: about(list(object({ path: text, reason: text })), 'The first 1,000.'),
            datasets: list(
              object({
                name: text,
                index: text,
                family: text,
                formats: list(text),
                files: count,
                bytes: count,
                documents: count,
                fields: list(object({ name: text, type: text, role: text, examples: list(text) })),
                queries: list(object({ about: text, path: text, body: document })),
              }),
            ),
          }),
        ),
      }),
    },
  },
} as const satisfies Record<string, RouteSchema>;
