// Random histories of a brain, run against the service and against a list of links, which is a
// naive model of all its rules.
import fc from 'fast-check';
import { type World, world } from './world.ts';

export interface ModelLink {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly strength: number;
  readonly valid_at: number;
  readonly created_at: number;
  invalid_at: number | null;
  expired_at: number | null;
}

export type Operation =
  | {
      readonly kind: 'link';
      readonly src: number;
      readonly dst: number;
      readonly type: string;
      readonly confidence: number;
      readonly weight: number;
      /** Relative to the clock's time; undefined: now. */
      readonly validIn: number | undefined;
    }
  | { readonly kind: 'unlink'; readonly which: number; readonly endsIn: number | undefined }
  | { readonly kind: 'wait'; readonly ms: number };

export const NODES = Array.from({ length: 20 }, (_, i) => `n${i}`);
export const TYPES = ['mentions', 'follows', 'cites'];

const around = fc.option(fc.integer({ min: -60, max: 60 }), { nil: undefined });
const share = fc.constantFrom(0, 0.25, 0.5, 1);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      src: fc.nat(NODES.length - 1),
      dst: fc.nat(NODES.length - 1),
      type: fc.constantFrom(...TYPES),
      confidence: share,
      weight: share,
      validIn: around,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('unlink' as const),
      which: fc.nat(1000),
      endsIn: around,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 20 }),
    }),
  },
);

export const histories = fc.array(operation, { minLength: 1, maxLength: 100 });
export const longHistories = fc.array(operation, { minLength: 200, maxLength: 240 });

export interface Past {
  readonly world: World;
  readonly links: readonly ModelLink[];
  /** Instants at which something may have changed. */
  readonly instants: readonly number[];
}

/**
 * Runs the history, and compares every response with the model. `between` is called before each
 * operation.
 */
export async function live(
  operations: readonly Operation[],
  made: Pick<World, 'graph' | 'now'> = world(),
  between: (at: number) => Promise<void> = async () => {},
): Promise<Past> {
  const links: ModelLink[] = [];
  for (const [at, one] of operations.entries()) {
    await between(at);
    if (one.kind === 'wait') made.now += one.ms;
    else if (one.kind === 'link') await assertOne(made, links, one);
    else await retireOne(made, links, one);
  }
  const instants = links.flatMap((link) =>
    [link.valid_at, link.created_at, link.invalid_at, link.expired_at].flatMap((at) =>
      at === null ? [] : [at - 1, at],
    ),
  );
  return { world: made as World, links, instants: [...new Set([...instants, made.now])] };
}

async function assertOne(
  made: Pick<World, 'graph' | 'now'>,
  links: ModelLink[],
  one: Extract<Operation, { kind: 'link' }>,
): Promise<void> {
  const src = NODES[one.src] ?? '';
  const dst = NODES[one.dst === one.src ? (one.dst + 1) % NODES.length : one.dst] ?? '';
  const { type, confidence, weight } = one;
  const valid_at = one.validIn === undefined ? made.now : made.now + one.validIn;
  const there = links.find(
    (link) =>
      link.src === src && link.dst === dst && link.type === type && link.valid_at === valid_at,
  );
  const answer = await made.graph.link('b', {
    src,
    dst,
    type,
    confidence,
    weight,
    ...(one.validIn === undefined ? {} : { valid_at }),
  });
  if (answer.created !== (there === undefined)) throw new Error('created differs from the model');
  if (there !== undefined) return;
  links.push({
    edge_id: answer.edge_id,
    src,
    dst,
    type,
    strength: confidence * weight,
    valid_at,
    created_at: made.now,
    invalid_at: null,
    expired_at: null,
  });
}

async function retireOne(
  made: Pick<World, 'graph' | 'now'>,
  links: readonly ModelLink[],
  one: Extract<Operation, { kind: 'unlink' }>,
): Promise<void> {
  const link = links[one.which % Math.max(1, links.length)];
  if (link === undefined) return;
  const requested = one.endsIn === undefined ? undefined : link.valid_at + Math.abs(one.endsIn);
  const answer = await made.graph.unlink('b', link.edge_id, requested);
  if (answer.invalidated !== (link.invalid_at === null)) throw new Error('invalidated differs');
  if (!answer.invalidated) {
    if (answer.already_invalid_at !== link.invalid_at) throw new Error('the end has moved');
    return;
  }
  link.invalid_at = requested ?? Math.max(made.now, link.valid_at);
  link.expired_at = made.now;
}

/** The state of a link at a time, by the text of the contract. */
export function modelState(link: ModelLink, world: number, system: number): string {
  if (link.created_at > system) return 'unknown';
  if (link.valid_at > world) return 'future';
  const over = link.invalid_at !== null && link.invalid_at <= world;
  return over && (link.expired_at ?? 0) <= system ? 'retired' : 'live';
}
