// The link graph of a brain: one method per operation, each implemented in a file of its own.
import type { Backend, JsonObject, MaybePromise, SearchRequest } from '../backend/index.js';
import {
  type AssertedLink,
  assertLinks,
  type LinkOperations,
  linkOperations,
  type NewLink,
} from './assert-links.js';
import { BrainClock } from './brain-clock.js';
import { type BrainListAnswer, type BrainListRequest, listBrains } from './brain-list.js';
import { Brains, readSettingsBody, type SettingsAnswer } from './brains.js';
import type { DetectAnswer, DetectRequest } from './detect.js';
import { StoreDetection } from './detect-on-store.js';
import { type DetectionState, Detections } from './detections.js';
import type { Hash128 } from './edge-id.js';
import { type EgoAnswer, type EgoRequest, ego } from './ego.js';
import { dropLinks, forgetNodes, linkIndexes } from './forget.js';
import { withoutGraphClauses } from './graph-clause.js';
import { type LinkAnswer, link } from './link.js';
import { readAssertion } from './link-body.js';
import { LinkWalks } from './link-walks.js';
import { checkBrain } from './names.js';
import { type OverviewAnswer, type OverviewRequest, overview } from './overview.js';
import { Previews } from './previews.js';
import {
  acceptSuggestion,
  type DecisionAnswer,
  type ListAnswer,
  type ListRequest,
  listSuggestions,
  rejectSuggestion,
} from './suggestions.js';
import { Summaries } from './summaries.js';
import { type UnlinkAnswer, unlink } from './unlink.js';
import { type VerifyAnswer, type VerifyRequest, verify } from './verify.js';

export interface GraphOptions {
  readonly backend: Backend;
  readonly hash128: Hash128;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
  /** As for BrainClock. */
  readonly onAhead?: () => void;
}

/** The dependencies of the operations. */
export interface GraphDeps extends GraphOptions {
  readonly brains: Brains;
  readonly previews: Previews;
  /** Gives every time that is recorded, and the present of requests without a time. */
  readonly clock: BrainClock;
}

export class Graph extends LinkWalks {
  readonly #deps: GraphDeps;
  readonly #summaries = new Summaries();
  readonly #detections = new Detections();
  readonly #onStore = new StoreDetection();

  constructor(options: GraphOptions) {
    const { backend, nowMs, onAhead } = options;
    super(backend);
    const previews = new Previews(backend, nowMs);
    const clock = new BrainClock(backend, nowMs, onAhead);
    this.#deps = { ...options, brains: new Brains(backend), previews, clock };
  }

  /** Names the index whose documents are the brain's nodes. */
  async put(brain: string, body: JsonObject): Promise<SettingsAnswer> {
    return this.#deps.brains.put(brain, readSettingsBody(body));
  }
  /** The brains that have links. */
  async brains(request: BrainListRequest): Promise<BrainListAnswer> {
    return listBrains(this.#deps, request);
  }
  /** The index whose documents are the nodes; it need not exist. */
  async nodesIndex(brain: string): Promise<string> {
    return (await this.#deps.brains.find(brain)).nodes;
  }
  async link(brain: string, body: JsonObject): Promise<LinkAnswer> {
    return link(this.#deps, brain, readAssertion(body));
  }
  async unlink(
    brain: string,
    edgeId: string,
    invalidAt: number | undefined,
  ): Promise<UnlinkAnswer> {
    return unlink(this.#deps, brain, edgeId, invalidAt);
  }
  async ego(brain: string, request: EgoRequest): Promise<EgoAnswer> {
    return ego(this.#deps, brain, request);
  }
  async overview(brain: string, request: OverviewRequest): Promise<OverviewAnswer> {
    return overview(this.#deps, this.#summaries, brain, request);
  }

  /** One bulk, idempotent; the ids are the same as with separate assertions. */
  async assertLinks(brain: string, links: readonly NewLink[]): Promise<readonly AssertedLink[]> {
    return assertLinks(this.#deps, brain, links);
  }
  /**
   * The same as bulk lines, for a caller that writes them together with other documents. `now` is a
   * result of now().
   */
  linkOperations(brain: string, links: readonly NewLink[], now: number): LinkOperations {
    return linkOperations(this.#deps.hash128, brain, links, now);
  }
  /** The current time of the brain, which never goes back; epoch milliseconds. */
  now(brain: string): MaybePromise<number> {
    return this.#deps.clock.now(brain);
  }
  /** The indexes that hold the links and the suggestions of the brain. */
  indexesOf(brain: string): readonly string[] {
    checkBrain(brain);
    return linkIndexes(brain);
  }
  /**
   * Deletes the links of the nodes: no later response contains them, and the next merge frees their
   * space.
   */
  async forgetNodes(brain: string, ids: readonly string[]): Promise<{ readonly links: number }> {
    checkBrain(brain);
    this.#onStore.forget(brain);
    return { links: await forgetNodes(this.#deps.backend, brain, ids) };
  }
  /** Drops links, suggestions and settings; not the nodes. */
  async dropBrain(brain: string): Promise<void> {
    checkBrain(brain);
    this.#detections.forget(brain);
    this.#onStore.forget(brain);
    await dropLinks(this.#deps.backend, brain);
    await this.#deps.brains.drop(brain);
    this.#deps.clock.forget(brain);
  }
  /** The search with each `graph` clause replaced by the ids that it stands for. */
  resolveClauses(request: SearchRequest): MaybePromise<SearchRequest> {
    return withoutGraphClauses(this.#deps, request);
  }

  /** Looks for links in the brain's documents; 409 while another detection of it runs. */
  async startDetection(
    brain: string,
    request: DetectRequest,
  ): Promise<{ readonly done: Promise<DetectAnswer> }> {
    await this.#deps.brains.known(brain);
    return { done: this.#detections.start(this.#deps, brain, request) };
  }
  async detect(brain: string, request: DetectRequest): Promise<DetectAnswer> {
    return (await this.startDetection(brain, request)).done;
  }
  detection(brain: string): DetectionState | undefined {
    checkBrain(brain);
    return this.#detections.stateOf(brain);
  }
  /** Looks for links in documents that were just stored. */
  async detectOnStore(brain: string, ids: readonly string[]): Promise<void> {
    await this.#onStore.run(this.#deps, brain, ids);
  }
  async verify(brain: string, request: VerifyRequest): Promise<VerifyAnswer> {
    return verify(this.#deps, brain, request);
  }
  async suggestions(brain: string, request: ListRequest): Promise<ListAnswer> {
    return listSuggestions(this.#deps, brain, request);
  }
  async accept(brain: string, id: string): Promise<DecisionAnswer> {
    return acceptSuggestion(this.#deps, brain, id);
  }
  async reject(brain: string, id: string): Promise<DecisionAnswer> {
    return rejectSuggestion(this.#deps, brain, id);
  }
  /** Ends the running detections; what they wrote is kept. */
  close(): Promise<void> {
    return this.#detections.close();
  }
}
