// Writes findings as links or proposals, except for those that a client or a detector stated
// before: a link that was asserted, retired or rejected is never written again by a detector.
import type { Backend, JsonObject } from '../backend/index.js';
import { assertLinks } from './assert-links.js';
import { toColumns } from './edge-columns.js';
import { type Finding, OWN_NEWS } from './findings.js';
import type { GraphDeps } from './graph.js';
import { edgesIndex } from './names.js';
import { proposeLinks } from './suggestions.js';

export interface WrittenFindings {
  readonly created: number;
  /** Stated before. */
  readonly known: number;
}

const ALL = 0x7fff_ffff;

export async function writeLinks(
  deps: GraphDeps,
  brain: string,
  findings: readonly Finding[],
): Promise<WrittenFindings> {
  const said = await linksOf(deps.backend, edgesIndex(brain), findings);
  const fresh = distinct(findings).filter((one) => !said.has(tripleOf(one)));
  const answers = await assertLinks(deps, brain, fresh);
  const created = answers.filter((answer) => answer.created).length;
  return { created, known: findings.length - created };
}

export async function writeProposals(
  deps: GraphDeps,
  brain: string,
  findings: readonly Finding[],
): Promise<WrittenFindings> {
  const said = await linksOf(deps.backend, edgesIndex(brain), findings);
  const joined = new Set([...said].map(pairOf));
  const fresh = distinct(findings).filter((one) =>
    OWN_NEWS.has(one.type)
      ? !said.has(tripleOf(one))
      : !joined.has(pairOf(tripleOf(one))) && !joined.has(pairOf(tripleOf(turned(one)))),
  );
  const created = await proposeLinks(deps, brain, fresh);
  return { created, known: findings.length - created };
}

type Triple = Pick<Finding, 'src' | 'dst' | 'type'>;

function tripleOf({ src, dst, type }: Triple): string {
  return `${src}\0${dst}\0${type}`;
}

function pairOf(triple: string): string {
  return triple.slice(0, triple.lastIndexOf('\0'));
}

function turned({ src, dst, type }: Triple): Triple {
  return { src: dst, dst: src, type };
}

/** The first of each group of equal statements. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const one of findings) if (!first.has(tripleOf(one))) first.set(tripleOf(one), one);
  return [...first.values()];
}

/** Every link, whatever its state, that starts at a node of the findings. */
async function linksOf(
  backend: Backend,
  index: string,
  findings: readonly Finding[],
): Promise<ReadonlySet<string>> {
  const links = new Set<string>();
  if (findings.length === 0 || !backend.exists(index, {})) return links;
  await backend.publish(index);
  const nodes = [...new Set(findings.flatMap(({ src, dst }) => [src, dst]))];
  const query: JsonObject = { terms: { src: nodes } };
  const columns = ['_doc', ...toColumns(['src', 'dst', 'type'])];
  const found = await backend.columns({ index, query, columns, size: ALL });
  const [, src, dst, type] = found.columns;
  for (let hit = 0; hit < found.hits; hit++) {
    const triple = { src: src?.(hit), dst: dst?.(hit), type: type?.(hit) };
    links.add(tripleOf(triple as Triple));
  }
  return links;
}
