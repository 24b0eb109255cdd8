// The same random searches sent to Elasticsearch and to Quarry, over the same documents in one
// segment, so that ties are in the same order. Differences are printed once per place of the
// response, with the smallest body that shows them.
import { compare } from '../../../test/peers/compare.ts';
import { Choice } from '../choice.ts';
import { type Answer, type FuzzRequest, send } from '../request.ts';
import { smallestForm } from '../shrink.ts';
import { sharedBody } from './bodies.ts';
import { SHARED_MAPPING, sharedDocument } from './documents.ts';
import { jsonRequest, linesRequest } from './requests.ts';

const INDEX = 'searches-shared';
const DOCUMENTS = 1500;
const DOCUMENTS_SEED = 4711;
const PATIENCE_MS = 60_000;
/**
 * A value that does not fit its field: refused, even where Elasticsearch leaves the clause out
 * because others already decide.
 */
const VALUE_REFUSED = /failed to create query|failed to parse|For input string|is not an IP/;

interface Answers {
  readonly peer: Answer;
  readonly quarry: Answer;
}

export class PeerComparison {
  readonly #peer: URL;
  readonly #quarry: URL;
  readonly #places = new Map<string, number>();
  #sent = 0;

  constructor(peer: string, quarry: string) {
    this.#peer = new URL(peer);
    this.#quarry = new URL(quarry);
  }

  /** Returns the number of places that differ. */
  async run(seed: number, seconds: number): Promise<number> {
    await this.#load();
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) await this.#next(new Choice(seed * 100_003 + this.#sent++));
    console.log(`${this.#sent} searches, differences by their place:`);
    for (const [place, count] of this.#places) console.log(`  ${count} ${place}`);
    return this.#places.size;
  }

  async #load(): Promise<void> {
    const choice = new Choice(DOCUMENTS_SEED);
    const lines = Array.from({ length: DOCUMENTS }, (_, at) => at).flatMap((at) => [
      { index: { _id: `d${at}` } },
      sharedDocument(choice),
    ]);
    // A refresh between the documents would make segments, which are not merged in their order.
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 };
    await this.#both(jsonRequest('DELETE', `/${INDEX}`));
    const requests = [
      jsonRequest('PUT', `/${INDEX}`, { settings, mappings: SHARED_MAPPING }),
      linesRequest(`/${INDEX}/_bulk`, lines),
      jsonRequest('POST', `/${INDEX}/_forcemerge`, undefined, ['max_num_segments=1']),
      jsonRequest('POST', `/${INDEX}/_refresh`),
    ];
    for (const request of requests) {
      const { peer, quarry } = await this.#both(request);
      if (peer.status === 200 && quarry.status === 200) continue;
      throw new Error(`${request.path}: ${peer.text.slice(0, 400)} ${quarry.text.slice(0, 400)}`);
    }
  }

  async #next(choice: Choice): Promise<void> {
    const request = jsonRequest('POST', `/${INDEX}/_search`, sharedBody(choice));
    const place = placeOf(await this.#both(request));
    if (place === undefined) return;
    const count = this.#places.get(place) ?? 0;
    this.#places.set(place, count + 1);
    if (count > 0) return;
    const isSame = async (one: FuzzRequest): Promise<boolean> =>
      placeOf(await this.#both(one)) === place;
    const smallest = await smallestForm(request, isSame);
    const answers = await this.#both(smallest);
    console.log(`\nDIFFERENT at ${place}, search ${this.#sent}\n${smallest.body?.toString()}`);
    console.log(JSON.stringify(differences(answers)[0])?.slice(0, 1000));
  }

  async #both(request: FuzzRequest): Promise<Answers> {
    const [peer, quarry] = await Promise.all(
      [this.#peer, this.#quarry].map((base) => send(base, request, PATIENCE_MS)),
    );
    if (peer === undefined || quarry === undefined) throw new Error('no answer');
    return { peer, quarry };
  }
}

/** Where the responses differ first, without ids and places in lists; undefined if they agree. */
function placeOf(answers: Answers): string | undefined {
  const { peer, quarry } = answers;
  if (peer.status >= 400 && quarry.status >= 400) return undefined;
  if (peer.status !== quarry.status) {
    if (quarry.status === 400 && VALUE_REFUSED.test(quarry.text)) return undefined;
    return `status ${peer.status} and ${quarry.status}`;
  }
  const [first] = differences(answers);
  return first?.path.replace(/\[[^\]]*\]/g, '');
}

function differences({ peer, quarry }: Answers): ReturnType<typeof compare> {
  if (peer.status !== quarry.status)
    return [{ path: '', peer: peer.text.slice(0, 400), quarry: quarry.text.slice(0, 400) }];
  return compare(JSON.parse(peer.text), JSON.parse(quarry.text));
}
