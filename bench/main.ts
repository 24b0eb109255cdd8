// npm run bench [-- suite … --json FILE]: runs the named suites (all without a name), each printing its table.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { detectSuite } from './graph/detect.bench.ts';
import { graphSuite } from './graph/ego.bench.ts';
import { memorySuite } from './memory/memory.bench.ts';
import { namespacesSuite } from './memory/namespaces.bench.ts';
import { compileSuite } from './query/compile.bench.ts';
import { semanticSuite } from './semantic/semantic.bench.ts';
import { vectorsHttpSuite } from './vectors/http.bench.ts';
import { vectorsSuite } from './vectors/vectors.bench.ts';
import { wordsSuite } from './words/words.bench.ts';

type Suite = () => Promise<object>;

const SUITES: Readonly<Record<string, Suite>> = {
  compile: compileSuite,
  detect: detectSuite,
  graph: graphSuite,
  memory: memorySuite,
  namespaces: namespacesSuite,
  semantic: semanticSuite,
  vectors: vectorsSuite,
  'vectors-http': vectorsHttpSuite,
  words: wordsSuite,
};

function readArguments(args: readonly string[]): { names: string[]; json: string | undefined } {
  const at = args.indexOf('--json');
  const json = at < 0 ? undefined : args[at + 1];
  const names = args.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  const unknown = names.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    throw new Error(
      `unknown suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}`,
    );
  }
  return { names: names.length === 0 ? Object.keys(SUITES) : [...names], json };
}

const { names, json } = readArguments(process.argv.slice(2));
console.log(
  `machine: ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(2)}, node ${process.version}`,
);
const results: Record<string, object> = {};
for (const name of names) {
  console.log(`\n# ${name}`);
  const suite = SUITES[name];
  if (suite !== undefined) results[name] = await suite();
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
