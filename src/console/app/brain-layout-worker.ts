// Computes the layout of the graph of the Brain page away from the page's thread: ForceAtlas2, a few
// rounds at a time, so that the page shows how it settles and can replace the graph meanwhile.
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { LayoutRequest, LayoutResult } from './pages/brain/layout-messages.js';

interface WorkerScope {
  onmessage: ((event: { readonly data: LayoutRequest }) => void) | null;
  postMessage(result: LayoutResult, transfer: readonly ArrayBuffer[]): void;
}

const scope = self as unknown as WorkerScope;

const ROUNDS_AT_ONCE = 5;
/** From this size on, forces are approximated (Barnes-Hut). */
const MANY_NODES = 300;

/** The latest request; an older one ends when it is replaced. */
let current = 0;

scope.onmessage = ({ data }) => {
  current = data.version;
  const graph = graphOf(data);
  run(graph, data, data.rounds);
};

function graphOf({ positions, ends, weights }: LayoutRequest): Graph {
  const graph = new Graph({ multi: true, type: 'undirected' });
  for (let node = 0; node * 2 < positions.length; node++) {
    graph.addNode(String(node), { x: positions[node * 2], y: positions[node * 2 + 1] });
  }
  for (let link = 0; link < weights.length; link++) {
    const [from, to] = [String(ends[link * 2]), String(ends[link * 2 + 1])];
    graph.addEdge(from, to, { weight: weights[link] });
  }
  return graph;
}

function run(graph: Graph, request: LayoutRequest, rounds: number): void {
  if (current !== request.version) return;
  const isDone = rounds <= ROUNDS_AT_ONCE;
  forceAtlas2.assign(graph, {
    iterations: Math.min(rounds, ROUNDS_AT_ONCE),
    settings: {
      barnesHutOptimize: graph.order > MANY_NODES,
      barnesHutTheta: 0.7,
      scalingRatio: 20,
      gravity: 0.6,
      slowDown: 1 + Math.log1p(graph.order) / 2,
    },
  });
  const positions = new Float32Array(graph.order * 2);
  graph.forEachNode((node, { x, y }) => {
    positions[Number(node) * 2] = x as number;
    positions[Number(node) * 2 + 1] = y as number;
  });
  scope.postMessage({ version: request.version, positions, isDone }, [positions.buffer]);
  if (!isDone) setTimeout(() => run(graph, request, rounds - ROUNDS_AT_ONCE));
}
