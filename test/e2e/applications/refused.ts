// What applications send and the service does not take.
import { index } from './parts.ts';

/** Parts of what they send that are refused, each with what the refusal names. */
export const REFUSED: Readonly<Record<string, readonly [object, string]>> = {
  'GitLab up to 15: groups in a look-ahead': [
    index({ filter: { f: { type: 'pattern_capture', patterns: ['(?=(\\p{Lu}+))'] } } }, {}),
    'a group in a look-around captures nothing',
  ],
  'GitLab up to 15, elasticsearch-dsl: parents and children': [
    index({}, { parent: { type: 'join', relations: { project: ['note'] } } }),
    'Field [parent] has type [join], which is not supported',
  ],
  'elasticsearch-dsl: stored queries': [
    index({}, { query: { type: 'percolator' } }),
    'Field [query] has type [percolator], which is not supported',
  ],
  'searchkick, JanusGraph, Pelias: shapes': [
    index({}, { area: { type: 'geo_shape' } }),
    'Field [area] has type [geo_shape], which is not supported',
  ],
  'Spring Data: runtime fields': [
    { mappings: { runtime: { day: { type: 'keyword' } } } },
    '[runtime] is not supported: there are no runtime fields',
  ],
  'Rally, time series': [
    { settings: { 'index.mode': 'time_series' } },
    'unknown value [time_series] for setting [index.mode]',
  ],
  'addons-server: the analyzer for Brazilian Portuguese': [
    index({ analyzer: { br: { type: 'brazilian', stopwords: '_none_' } } }, {}),
    'analyzer [br] has type [brazilian], which is not supported: use [portuguese]',
  ],
  'Filebeat, Rally: data streams': [
    { composable: { index_patterns: ['app-*'], data_stream: {}, template: {} } },
    'there are no data streams here, write to an index or an alias',
  ],
};
