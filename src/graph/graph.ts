// The link graph of a brain: one method a verb, each in a file of its own.
import type { Backend, JsonObject } from '../backend.js';
import { putSettings, readSettingsBody, type SettingsAnswer } from './brains.js';
import { Degrees } from './degrees.js';
import type { Hash128 } from './edge-id.js';
import { type EgoAnswer, type EgoRequest, ego } from './ego.js';
import { type LinkAnswer, link } from './link.js';
import { readAssertion } from './link-body.js';
import { type OverviewAnswer, type OverviewRequest, overview } from './overview.js';
import { Summaries } from './summaries.js';
import { type UnlinkAnswer, unlink } from './unlink.js';

export interface GraphDeps {
  readonly backend: Backend;
  readonly hash128: Hash128;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
}

export class Graph {
  readonly #deps: GraphDeps;
  readonly #summaries = new Summaries();
  readonly #degrees = new Degrees();

  constructor(deps: GraphDeps) {
    this.#deps = deps;
  }

  /** Names the index whose documents are the brain's nodes. */
  async put(brain: string, body: JsonObject): Promise<SettingsAnswer> {
    return putSettings(this.#deps.backend, brain, readSettingsBody(body));
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
    return ego(this.#deps, this.#degrees, brain, request);
  }
  async overview(brain: string, request: OverviewRequest): Promise<OverviewAnswer> {
    return overview(this.#deps, this.#summaries, brain, request);
  }
}
