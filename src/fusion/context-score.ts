// The score of a memory in its context: its words and its meaning, each divided by the best of the
// pool, phrases of the question, its speaker, its neighbours in the conversation and its session.
// The functions are pure.

/**
 * The weights of what surrounds a memory: its neighbours in the conversation, its session, its
 * speaker, and words of the question that stand next to each other in it. 0: does not count.
 */
export interface ContextWeights {
  readonly neighbours: number;
  readonly session: number;
  readonly speaker: number;
  readonly phrase: number;
}

/** What searches found out about a memory; 0: nothing. */
export interface Findings {
  readonly id: string;
  /** BM25 of the question's words. */
  readonly words: number;
  readonly cosine: number;
  /** BM25 of pairs of words that stand next to each other. */
  readonly phrase: number;
  /** The sum over the words of the best BM25 in the session. */
  readonly session: number;
  /** The question names the speaker. */
  readonly isSpeaker: boolean;
}

export interface Link {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** confidence * weight. */
  readonly strength: number;
}

export interface NeighborShare {
  readonly id: string;
  readonly type: string;
  readonly share: number;
}

export interface ContextScore {
  readonly score: number;
  /** The memory by itself: (words + semantic + phrase) * speaker, of the best memory 1. */
  readonly own: number;
  readonly words: number;
  readonly semantic: number;
  readonly phrase: number;
  /** A factor. */
  readonly speaker: number;
  readonly neighbours: readonly NeighborShare[];
  readonly session: number;
}

/** The weights of words and meaning; equal ones measured better than fusion by ranks. */
export interface ListWeights {
  readonly words: number;
  readonly semantic: number;
}

/** The best of the pool, by which everything is divided; 0 where the pool has nothing. */
interface Best {
  readonly words: number;
  readonly cosine: number;
  readonly phrase: number;
  readonly session: number;
  readonly own: number;
}

const NO_CONTEXT: ContextWeights = { neighbours: 0, session: 0, speaker: 0, phrase: 0 };
const NO_SHARES: readonly NeighborShare[] = [];
/** The type of the links between the memories of a session: the later one follows the other. */
const FOLLOWS = 'follows';

export class ContextScorer {
  readonly #weights: ContextWeights;
  readonly #lists: ListWeights;
  /** Without context, scores are sums of shares and are not divided by the best of them. */
  readonly #isDivided: boolean;
  readonly #best: Best;

  /** `context`: undefined if only the memories themselves count. */
  constructor(pool: readonly Findings[], lists: ListWeights, context: ContextWeights | undefined) {
    this.#weights = context ?? NO_CONTEXT;
    this.#lists = lists;
    this.#isDivided = context !== undefined;
    const best = {
      words: most(pool, ({ words }) => words),
      cosine: most(pool, ({ cosine }) => cosine),
      phrase: most(pool, ({ phrase }) => phrase),
      session: most(pool, ({ session }) => session),
      own: 1,
    };
    this.#best = best;
    if (this.#isDivided) this.#best = { ...best, own: most(pool, (one) => this.#sumOf(one)) };
  }

  /** The share of words and meaning alone. */
  base({ words, cosine }: Findings): number {
    return (
      this.#lists.words * over(words, this.#best.words) +
      this.#lists.semantic * over(cosine, this.#best.cosine)
    );
  }

  /** The memory by itself, before it is divided by the best. */
  #sumOf(one: Findings): number {
    const phrase = this.#weights.phrase * over(one.phrase, this.#best.phrase);
    return (this.base(one) + phrase) * this.#speakerOf(one);
  }

  #speakerOf({ isSpeaker }: Findings): number {
    return isSpeaker ? 1 + this.#weights.speaker : 1;
  }

  /** One score for each, in their order. Links to memories outside of `pool` count nothing. */
  scores(pool: readonly Findings[], links: readonly Link[]): readonly ContextScore[] {
    const own = pool.map((one) => this.#ownOf(one));
    const places = new Map(pool.map(({ id }, i) => [id, i]));
    const neighbours = neighbourhoods(links, places, (i) => {
      return this.#weights.neighbours * (own[i]?.own ?? 0);
    });
    return pool.map((one, i): ContextScore => {
      const parts = own[i] ?? this.#ownOf(one);
      const around = neighbours.get(i) ?? NO_SHARES;
      const conversation = around.reduce((sum, { share }) => sum + share, parts.own);
      const session =
        conversation > 0 ? this.#weights.session * over(one.session, this.#best.session) : 0;
      // By name, because copying the members takes ten times as long.
      return {
        score: conversation + session,
        own: parts.own,
        words: parts.words,
        semantic: parts.semantic,
        phrase: parts.phrase,
        speaker: parts.speaker,
        neighbours: around,
        session,
      };
    });
  }

  #ownOf(one: Findings) {
    const best = this.#best;
    return {
      words: this.#lists.words * over(one.words, best.words),
      semantic: this.#lists.semantic * over(one.cosine, best.cosine),
      phrase: this.#weights.phrase * over(one.phrase, best.phrase),
      speaker: this.#speakerOf(one),
      own: over(this.#sumOf(one), best.own),
    };
  }
}

function over(value: number, best: number): number {
  return best > 0 ? Math.max(0, value) / best : 0;
}

function most(pool: readonly Findings[], value: (one: Findings) => number): number {
  return pool.reduce((best, one) => Math.max(best, value(one)), 0);
}

/**
 * The shares that a memory gets from the memory before it and the one after it, one each, and from
 * the best of those that are linked to it otherwise. `worth`: the share of a link of strength 1.
 */
function neighbourhoods(
  links: readonly Link[],
  places: ReadonlyMap<string, number>,
  worth: (place: number) => number,
): ReadonlyMap<number, readonly NeighborShare[]> {
  const sides = { before: new Map(), after: new Map(), other: new Map() } as const satisfies Record<
    string,
    Map<number, NeighborShare>
  >;
  const put = (side: keyof typeof sides, to: number, id: string, from: number, link: Link) => {
    const share = worth(from) * link.strength;
    const there: NeighborShare | undefined = sides[side].get(to);
    if (share > 0 && (there === undefined || share > there.share))
      sides[side].set(to, { id, type: link.type, share });
  };
  for (const link of links) {
    const [src, dst] = [places.get(link.src), places.get(link.dst)];
    if (src === undefined || dst === undefined || src === dst) continue;
    const isNext = link.type === FOLLOWS;
    put(isNext ? 'before' : 'other', src, link.dst, dst, link);
    put(isNext ? 'after' : 'other', dst, link.src, src, link);
  }
  const all = new Map<number, NeighborShare[]>();
  for (const side of Object.values(sides)) {
    for (const [place, share] of side) all.set(place, [...(all.get(place) ?? []), share]);
  }
  return all;
}
