// Looks for links in documents while they are stored, with the detectors that need no other
// document's text. The names of the other documents are cached between stores; detectors that
// compare texts run only in a detection over all documents.
import { BoundedMap } from '../base/bounded-map.js';
import { runCooperatively } from '../base/cooperative-task.js';
import type { NodeDocument } from './detectors/document.js';
import { DETECTORS } from './detectors/index.js';
import { NodeNames } from './detectors/node-names.js';
import { type Finding, findingsIn, type Worker } from './findings.js';
import type { GraphDeps } from './graph.js';
import { idsOf, readNodes } from './read-nodes.js';
import { writeLinks, writeProposals } from './write-findings.js';

/**
 * Age from which on the cached names are read again, which picks up documents that other writers
 * stored.
 */
const MAX_AGE_MS = 60_000;
/** Brains whose names are cached; the least recently used is dropped first. */
const REMEMBERED = 8;

interface Names {
  readonly known: NodeNames;
  readonly readAt: number;
}

export class StoreDetection {
  readonly #names = new BoundedMap<string, Names>(REMEMBERED);

  async run(deps: GraphDeps, name: string, ids: readonly string[]): Promise<void> {
    const brain = await deps.brains.find(name);
    if (!brain.hasNodes || ids.length === 0) return;
    await deps.backend.publish(brain.nodes);
    const known = await this.#namesOf(deps, name, brain.nodes);
    const workers = DETECTORS.map((detector): Worker => ({ detector, running: detector.begin() }));
    const alone = workers.filter(({ running }) => running.learn === undefined);
    const documents: NodeDocument[] = [];
    for await (const document of readNodes(deps.backend, brain.nodes, ids)) {
      known.add(document);
      documents.push(document);
    }
    const findings: Finding[] = [];
    for (const document of documents)
      for (const finding of await runCooperatively(findingsIn(document, known, alone)))
        findings.push(finding);
    await writeLinks(
      deps,
      name,
      findings.filter(({ suggested }) => !suggested),
    );
    await writeProposals(
      deps,
      name,
      findings.filter(({ suggested, keeps }) => suggested && keeps()),
    );
  }

  forget(brain: string): void {
    this.#names.delete(brain);
  }

  async #namesOf(deps: GraphDeps, brain: string, index: string): Promise<NodeNames> {
    const there = this.#names.get(brain);
    const now = performance.now();
    const names =
      there !== undefined && now - there.readAt < MAX_AGE_MS
        ? there
        : { known: await readNames(deps, index), readAt: now };
    this.#names.set(brain, names);
    return names.known;
  }
}

async function readNames({ backend }: GraphDeps, index: string): Promise<NodeNames> {
  const known = new NodeNames();
  for await (const document of readNodes(backend, index, await idsOf(backend, index)))
    known.add(document);
  return known;
}
