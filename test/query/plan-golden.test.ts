// Golden bytes of plans, which the native tests decode and run, and the payloads of their nodes:
// what is written is what opcodes.def says.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readLayouts, readOpcodes } from '../tools/opcodes.ts';
import { tracePayloads } from '../tools/payload-trace.ts';
import { expectGolden } from '../wire/golden.ts';
import { GOLDEN_PLANS, slicePlan } from './golden-plans.ts';

/** Aggregations are in the seed plans of the plan fuzzer. */
function isAggregation(name: string): boolean {
  return name === 'aggs' || name.startsWith('agg:');
}

/** True if any position of the plan can be read as a node of that kind. */
function hasNode(plan: Uint8Array, opcode: number): boolean {
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  for (let at = 64; at + 8 <= plan.length; at++) {
    const fits = at + 8 + view.getUint32(at + 4, true) <= plan.length;
    if (view.getUint16(at, true) === opcode && view.getUint16(at + 2, true) === 0 && fits)
      return true;
  }
  return false;
}

test.each(GOLDEN_PLANS)('$name has golden bytes', async ({ name, description, plan }) => {
  await expectGolden(name, description, plan());
});

test('every node is written with the layout of opcodes.def', () => {
  const layouts = readLayouts();
  const written = tracePayloads(() => {
    for (const { plan } of GOLDEN_PLANS) plan();
    slicePlan();
  });
  expect([...new Set(written.map(({ name }) => name))].sort()).toEqual([...layouts.keys()].sort());
  for (const { name, kinds } of written) expect(kinds, name).toMatch(layouts.get(name) ?? /^$/);
});

test('a payload of another order or width does not fit its layout', () => {
  const layout = readLayouts().get('term') ?? /^/;
  expect('fssbsb').toMatch(layout);
  for (const kinds of ['fsbssb', 'fssbsi', 'fssbs', 'fssbsbb', 'fssbbs'])
    expect(kinds).not.toMatch(layout);
});

test('the fuzzer of plans knows every aggregation', () => {
  const folder = new URL('../../native/fuzz/corpus/plan_fuzz/', import.meta.url);
  const plans = readdirSync(folder)
    .filter((name) => name.startsWith('plan_aggs_'))
    .map((name) => readFileSync(new URL(name, folder)));
  for (const [name, opcode] of Object.entries(readOpcodes())) {
    if (!isAggregation(name)) continue;
    expect(
      plans.some((plan) => hasNode(plan, opcode)),
      name,
    ).toBe(true);
  }
});
