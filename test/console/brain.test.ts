// What the Memory and Brain pages compute: states of links at a moment, the limits of the graph, what
// a click hits, and the patch that an edit sends.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textAt } from '../../src/console/app/pages/brain/documents.ts';
import {
  cameraFor,
  type DrawnLink,
  linkAt,
  nodeAt,
} from '../../src/console/app/pages/brain/graph-drawing.ts';
import {
  GraphModel,
  MAX_LINKS,
  MAX_NODES,
  stateAt,
} from '../../src/console/app/pages/brain/graph-model.ts';
import type { EgoAnswer, LinkView } from '../../src/console/app/pages/brain/types.ts';
import { mergePatch, readJsonObject } from '../../src/console/app/pages/memory/json-field.tsx';
import { hiddenText } from '../../src/console/app/pages/memory/not-shown.ts';
import { stateAt as stateInService } from '../../src/graph/times.ts';

const ALWAYS = { valid_at: 0, invalid_at: null, created_at: 0, expired_at: null };

function linkOf(id: string, src: string, dst: string, more: Partial<LinkView> = {}): LinkView {
  const rest = { confidence: 1, weight: 1, evidence: null, asserted: true, detector: null };
  return { edge_id: id, src, dst, type: 'mentions', ...rest, ...ALWAYS, ...more };
}

function egoOf(node: string, links: readonly LinkView[]): EgoAnswer {
  const not_shown = { links: 0, reasons: {}, exact: true };
  return { node, exists: true, as_of: 0, links, nodes: {}, not_shown };
}

test('a link has the state that the service gives it, at every moment', () => {
  const time = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null });
  const link = fc.record({ valid_at: time, invalid_at: time, created_at: time, expired_at: time });
  const moment = fc.record({ world: fc.integer({ min: 0, max: 6 }), known: time });
  fc.assert(
    fc.property(link, moment, (one, { world, known }) => {
      const inService = stateInService(one, { world, system: known }) ?? 'unknown';
      expect(stateAt(one, { world, known })).toBe(inService);
    }),
  );
});

describe('the model of the graph', () => {
  test('holds each node and link once, whatever is expanded again', () => {
    const model = new GraphModel();
    const ego = egoOf('a', [linkOf('1', 'a', 'b'), linkOf('2', 'b', 'c')]);
    expect(model.merge(ego, true)).toEqual({ nodes: 3, links: 2, leftOut: 0 });
    expect(model.merge(ego, true)).toEqual({ nodes: 0, links: 0, leftOut: 0 });
    expect(model.nodes.get('a')?.isExpanded).toBe(true);
  });

  test('takes the new times of a link that was retired meanwhile', () => {
    const model = new GraphModel();
    model.merge(egoOf('a', [linkOf('1', 'a', 'b')]), true);
    model.merge(egoOf('a', [linkOf('1', 'a', 'b', { invalid_at: 5, expired_at: 5 })]), true);
    expect(model.links.get('1')?.invalid_at).toBe(5);
  });

  test('says how many links its limits left out', () => {
    const links = Array.from({ length: MAX_LINKS + 10 }, (_, i) =>
      linkOf(`${i}`, 'a', `n${i % 100}`),
    );
    expect(new GraphModel().merge(egoOf('a', links), true)).toMatchObject({ leftOut: 10 });
    const star = Array.from({ length: MAX_NODES + 10 }, (_, i) => linkOf(`${i}`, 'a', `n${i}`));
    const model = new GraphModel();
    expect(model.merge(egoOf('a', star), true)).toMatchObject({ nodes: MAX_NODES, leftOut: 11 });
    expect(model.leftOut).toBe(11);
  });

  test('has the names of prototypes as nodes like any other', () => {
    const model = new GraphModel();
    model.merge(egoOf('__proto__', [linkOf('constructor', '__proto__', 'toString')]), true);
    expect([...model.nodes.keys()]).toEqual(['__proto__', 'toString']);
    expect(model.nodes.get('toString')?.view.exists).toBe(false);
  });
});

test('a click finds the node, else the link, under it', () => {
  const model = new GraphModel();
  model.merge(egoOf('a', [linkOf('1', 'a', 'b')]), true);
  const [from, to] = [...model.nodes.values()];
  if (from === undefined || to === undefined) throw new Error('there are two');
  Object.assign(from, { x: 0, y: 0 });
  Object.assign(to, { x: 100, y: 0 });
  const size = { width: 400, height: 200 };
  const camera = cameraFor([from, to], size);
  const at = (x: number, y: number): [number, number] => [
    (x - camera.x) * camera.scale + size.width / 2,
    (y - camera.y) * camera.scale + size.height / 2,
  ];
  const links: DrawnLink[] = [{ from, to, color: 0, strength: 1, id: '1' }];
  expect(nodeAt([from, to], size, camera, ...at(0, 0))?.id).toBe('a');
  expect(nodeAt([from, to], size, camera, ...at(50, 0))).toBeUndefined();
  expect(linkAt(links, size, camera, ...at(50, 0))?.id).toBe('1');
  expect(linkAt(links, size, camera, ...at(50, 40))).toBeUndefined();
});

test('a text is found at a dotted path, and nothing of a prototype is', () => {
  expect(textAt({ a: { b: 'text' } }, 'a.b')).toBe('text');
  expect(textAt({ 'a.b': 'dotted' }, 'a.b')).toBe('dotted');
  expect(textAt({ a: {} }, 'a.constructor.name')).toBeUndefined();
});

describe('an edit of metadata', () => {
  test('sends what makes the new value of the old one', () => {
    const before = { a: 1, b: { c: 1, d: 2 }, e: [1], f: 'x' };
    const after = { a: 1, b: { c: 3 }, e: [1, 2], g: null };
    expect(mergePatch(before, after)).toEqual({
      b: { c: 3, d: null },
      e: [1, 2],
      f: null,
      g: null,
    });
    expect(mergePatch(before, before)).toEqual({});
  });

  test('is refused with what is wrong about it', () => {
    expect(readJsonObject(' ', 'It')).toBeUndefined();
    expect(() => readJsonObject('{', 'The metadata')).toThrow('The metadata is not JSON');
    expect(() => readJsonObject('[1]', 'The metadata')).toThrow('must be a JSON object');
  });
});

test('what is not shown is said in words, without what the next page has', () => {
  expect(hiddenText({ k: 2, superseded: 1, expired: 0, limit: 9, odd: 1 })).toBe(
    '2 ranked after the last hit, 1 superseded, 1 odd',
  );
});
