// Looks for links in the documents of a brain in two passes: the first learns the names and words
// of all documents, the second searches them. Links that exist already are found again and remain
// unchanged.

import { type CooperativeTask, runCooperatively } from '../base/cooperative-task.js';
import { QuarryError } from '../errors.js';
import { labelOf } from './detectors/detector.js';
import type { NodeDocument } from './detectors/document.js';
import { DETECTORS } from './detectors/index.js';
import { NodeNames } from './detectors/node-names.js';
import { type Finding, findingsIn, type Worker } from './findings.js';
import type { GraphDeps } from './graph.js';
import { idsOf, readNodes } from './read-nodes.js';
import { type WrittenFindings, writeLinks, writeProposals } from './write-findings.js';

export interface DetectRequest {
  /** Names of detectors; undefined: all. */
  readonly detectors: readonly string[] | undefined;
  /**
   * Documents to search; undefined: all. The names of the other documents are learned nevertheless.
   */
  readonly nodes: readonly string[] | undefined;
  /** Only documents whose own time is not before this one, epoch milliseconds. */
  readonly since: number | undefined;
  /** Writes nothing and returns what it found. */
  readonly dryRun: boolean;
}

export type Phase = 'reading' | 'searching' | 'writing' | 'done' | 'failed';

/** Progress of a detection; updated while it runs. */
export interface DetectProgress {
  phase: Phase;
  documents: number;
  read: number;
  searched: number;
  links: number;
  suggestions: number;
}

interface Counts {
  readonly found: number;
  readonly created: number;
  readonly known: number;
}

type FindingView = Omit<Finding, 'keeps' | 'validAt'> & { readonly valid_at: number };

export interface DetectAnswer {
  readonly brain: string;
  readonly dry_run: boolean;
  /** Documents of the brain, and below the number of those that were searched. */
  readonly documents: number;
  readonly searched: number;
  readonly links: Counts;
  readonly suggestions: Counts;
  readonly detectors: readonly {
    readonly detector: string;
    readonly links: number;
    readonly suggestions: number;
    /** The detector reached its memory limit and compared only a part of the documents. */
    readonly limited?: true;
  }[];
  /** In a dry run: the first of the findings that would be written. */
  readonly found?: readonly FindingView[];
  readonly not_shown?: number;
  readonly took: number;
}

/** Findings that are held before they are written. */
const BATCH = 1000;
/** Proposals are held until all documents are searched; further ones are dropped. */
const MAX_PROPOSALS = 100_000;
const MAX_SHOWN = 1000;

export function newProgress(): DetectProgress {
  return { phase: 'reading', documents: 0, read: 0, searched: 0, links: 0, suggestions: 0 };
}

export async function detect(
  deps: GraphDeps,
  name: string,
  request: DetectRequest,
  progress: DetectProgress,
  signal: AbortSignal,
): Promise<DetectAnswer> {
  const started = performance.now();
  const brain = await deps.brains.known(name);
  const workers = DETECTORS.filter(
    (detector) => request.detectors?.includes(detector.name) ?? true,
  ).map((detector): Worker => ({ detector, running: detector.begin() }));
  const ids = brain.hasNodes ? await idsOf(deps.backend, brain.nodes) : [];
  progress.documents = ids.length;
  const known = new NodeNames();
  for await (const document of readNodes(deps.backend, brain.nodes, ids)) {
    refuseWhenStopping(signal);
    known.add(document);
    await runCooperatively(learn(workers, document));
    progress.read++;
  }
  progress.phase = 'searching';
  const run = new Run(deps, name, request.dryRun, progress);
  const wanted = request.nodes === undefined ? ids : request.nodes.filter((id) => known.has(id));
  for await (const document of readNodes(deps.backend, brain.nodes, wanted)) {
    refuseWhenStopping(signal);
    const old = request.since !== undefined && (document.at ?? -Infinity) < request.since;
    if (old) continue;
    await run.take(await runCooperatively(findingsIn(document, known, workers)));
    progress.searched++;
  }
  progress.phase = 'writing';
  await run.finish();
  progress.phase = 'done';
  return {
    brain: name,
    dry_run: request.dryRun,
    documents: ids.length,
    searched: progress.searched,
    links: run.links,
    suggestions: run.suggestions,
    detectors: workers.map(({ detector, running }) => ({
      ...run.countsOf(labelOf(detector)),
      ...(running.limited?.() === true ? { limited: true as const } : {}),
    })),
    ...(request.dryRun ? run.shown() : {}),
    took: Math.round(performance.now() - started),
  };
}

/** Yields after each detector, because learning a long text takes long. */
function* learn(workers: readonly Worker[], document: NodeDocument): CooperativeTask<void> {
  for (const { running } of workers) {
    running.learn?.(document);
    yield;
  }
}

function refuseWhenStopping({ aborted }: AbortSignal): void {
  if (!aborted) return;
  throw new QuarryError(
    'node_not_ready_exception',
    'the server is stopping; what was found so far is there, detect again',
  );
}

/** The findings of one detection and the counts of what was written. */
class Run {
  readonly #deps: GraphDeps;
  readonly #brain: string;
  readonly #dryRun: boolean;
  readonly #progress: DetectProgress;
  readonly #proposals: Finding[] = [];
  readonly #shown: Finding[] = [];
  readonly #counts = new Map<string, { links: number; suggestions: number }>();
  #held: Finding[] = [];
  links: Counts = { found: 0, created: 0, known: 0 };
  suggestions: Counts = { found: 0, created: 0, known: 0 };

  constructor(deps: GraphDeps, brain: string, dryRun: boolean, progress: DetectProgress) {
    this.#deps = deps;
    this.#brain = brain;
    this.#dryRun = dryRun;
    this.#progress = progress;
  }

  async take(findings: readonly Finding[]): Promise<void> {
    for (const one of findings) {
      if (!one.suggested) this.#held.push(one);
      else if (this.#proposals.length < MAX_PROPOSALS) this.#proposals.push(one);
    }
    if (this.#held.length >= BATCH) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    const kept = this.#proposals.filter(({ keeps }) => keeps());
    for (let at = 0; at < kept.length; at += BATCH) {
      const batch = kept.slice(at, at + BATCH);
      const written = await this.#write(batch, writeProposals);
      this.suggestions = sum(this.suggestions, batch.length, written);
      this.#progress.suggestions = this.suggestions.created;
    }
  }

  countsOf(detector: string): DetectAnswer['detectors'][number] {
    return { detector, ...(this.#counts.get(detector) ?? { links: 0, suggestions: 0 }) };
  }
  shown(): Pick<DetectAnswer, 'found' | 'not_shown'> {
    const found = this.#shown.map(({ keeps: _keeps, validAt, ...rest }) => ({
      ...rest,
      valid_at: validAt,
    }));
    return { found, not_shown: this.links.found + this.suggestions.found - found.length };
  }

  async #flush(): Promise<void> {
    const batch = this.#held;
    this.#held = [];
    const written = await this.#write(batch, writeLinks);
    this.links = sum(this.links, batch.length, written);
    this.#progress.links = this.links.created;
  }

  async #write(batch: readonly Finding[], write: typeof writeLinks): Promise<WrittenFindings> {
    for (const { detector, suggested } of batch) {
      const counts = this.#counts.get(detector) ?? { links: 0, suggestions: 0 };
      counts[suggested ? 'suggestions' : 'links'] += 1;
      this.#counts.set(detector, counts);
    }
    if (!this.#dryRun) return write(this.#deps, this.#brain, batch);
    this.#shown.push(...batch.slice(0, Math.max(0, MAX_SHOWN - this.#shown.length)));
    return { created: 0, known: 0 };
  }
}

function sum(counts: Counts, found: number, { created, known }: WrittenFindings): Counts {
  return {
    found: counts.found + found,
    created: counts.created + created,
    known: counts.known + known,
  };
}
