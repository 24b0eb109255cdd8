// All suites by name.
import { aggsSuite } from './aggs/aggs.bench.ts';
import { autoindexSuite } from './autoindex/autoindex.bench.ts';
import { clusterSuite } from './cluster/cluster.bench.ts';
import { consoleSuite } from './console/console.bench.ts';
import { diskSuite } from './disk/disk.bench.ts';
import { durabilitySuite } from './durability/durability.bench.ts';
import { detectSuite } from './graph/detect.bench.ts';
import { graphSuite } from './graph/ego.bench.ts';
import { hostileSuite } from './hostile/hostile.bench.ts';
import { httpSuite } from './http/http.bench.ts';
import { hybridSuite } from './hybrid/hybrid.bench.ts';
import { indexesSuite } from './indexes/indexes.bench.ts';
import { indexingSuite } from './indexing/indexing.bench.ts';
import type { Suite } from './lab/result.ts';
import { memorySuite } from './memory/memory.bench.ts';
import { namespacesSuite } from './memory/namespaces.bench.ts';
import { microSuite } from './micro/micro.bench.ts';
import { importSuite } from './migration/import.bench.ts';
import { mixedSuite } from './mixed/mixed.bench.ts';
import { nestedSuite } from './nested/nested.bench.ts';
import { qualitySuite } from './quality/quality.bench.ts';
import { sortedSuite } from './query/sorted.bench.ts';
import { semanticSuite } from './semantic/semantic.bench.ts';
import { vectorsHttpSuite } from './vectors/http.bench.ts';
import { vectorsSuite } from './vectors/vectors.bench.ts';
import { growthSuite } from './words/growth.bench.ts';
import { wordsSuite } from './words/words.bench.ts';

export const SUITES: Readonly<Record<string, Suite>> = {
  aggs: aggsSuite,
  autoindex: autoindexSuite,
  cluster: clusterSuite,
  console: consoleSuite,
  detect: detectSuite,
  disk: diskSuite,
  durability: durabilitySuite,
  graph: graphSuite,
  growth: growthSuite,
  hostile: hostileSuite,
  http: httpSuite,
  hybrid: hybridSuite,
  import: importSuite,
  indexes: indexesSuite,
  indexing: indexingSuite,
  memory: memorySuite,
  micro: microSuite,
  mixed: mixedSuite,
  namespaces: namespacesSuite,
  nested: nestedSuite,
  quality: qualitySuite,
  semantic: semanticSuite,
  sorted: sortedSuite,
  vectors: vectorsSuite,
  'vectors-http': vectorsHttpSuite,
  words: wordsSuite,
};

/** All suites without a name; an unknown name is rejected before anything runs. */
export function namesOf(requested: readonly string[]): readonly string[] {
  const unknown = requested.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    const known = Object.keys(SUITES).join(', ');
    throw new Error(`unknown suite ${unknown.join(', ')}; there are ${known}`);
  }
  return requested.length === 0 ? Object.keys(SUITES) : requested;
}
