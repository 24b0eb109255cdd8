// Samples of both profilers as stacks, and stacks as a graph.
import { expect, test } from 'vitest';
import { hottest, toFlameGraph } from '../../bench/profile/flame.ts';
import { readCpuProfile, readPerf } from '../../bench/profile/stacks.ts';

const PERF = `node 7/7 
\t 17a6ad1 quarry::(anonymous namespace)::walk<quarry::Rows<int> >(int, float) (/a/build/Release/addon.node)
\t 7f00 JS:*search file:///a/dist/coordinator/shards/shard-client.js:3:9 (/tmp/perf-7.map)
\t 2724a __libc_start_call_main (/usr/lib/libc.so.6)

node 7/9 
\t 1234 [unknown] (/usr/bin/node)

node 8/8 
\t 1234 main (/usr/bin/node)

`;

test('samples of perf: outermost first, by thread, of the servers alone', () => {
  expect(readPerf(PERF, new Set([7]))).toEqual([
    {
      frames: [
        'main thread',
        '__libc_start_call_main',
        'search dist/coordinator/shards/shard-client.js',
        'core: quarry::walk',
      ],
      weight: 1,
    },
    { frames: ['pool and helper threads', '? (node)'], weight: 1 },
  ]);
});

test("samples of V8's profiler: without idle time, weighed by microseconds", () => {
  const frame = (functionName: string, url = '') => ({ functionName, url });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('run', 'file:///x/dist/main.js'), children: [4] },
      { id: 4, callFrame: frame('') },
    ],
    samples: [2, 4, 3],
    timeDeltas: [100, 30, 20],
  };
  expect(readCpuProfile(JSON.stringify(profile))).toEqual([
    { frames: ['(root)', 'run dist/main.js', 'anonymous'], weight: 30 },
    { frames: ['(root)', 'run dist/main.js'], weight: 20 },
  ]);
});

test('a frame is as wide as its share, and the hottest are the innermost', () => {
  const stacks = [
    { frames: ['a', 'b'], weight: 3 },
    { frames: ['a', 'c<d>'], weight: 1 },
  ];
  const graph = toFlameGraph(stacks);
  const widths = [...graph.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => width);
  expect(widths).toEqual(['1200.0', '1200.0', '900.0', '300.0']);
  expect(graph).toContain('c&lt;d&gt;, 25.0 %');
  expect(hottest(stacks, 1)).toEqual([['b', 0.75]]);
});
