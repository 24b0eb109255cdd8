// Responses under construction: joining returns what was added, and many bytes are joined in many
// steps.
import { describe, expect, it } from 'vitest';
import { Pieces } from '../../src/api/kit/pieces.ts';

const MIB = 1024 * 1024;

describe('Pieces', () => {
  it('joins texts and bytes in their order', () => {
    const out = new Pieces().add('{"a":').bytes(Buffer.from('[1]')).add(',"b":"é"').add('}');
    expect(out.join().toString()).toBe('{"a":[1],"b":"é"}');
    expect(new Pieces().join()).toHaveLength(0);
  });

  it('puts long texts together before they are many', () => {
    const out = new Pieces();
    const left = Array.from({ length: 10 }, () => out.add('x'.repeat(300_000)).counted());
    expect(left.every((one) => one)).toBe(true);
    expect(out.join()).toHaveLength(3_000_000);
  });

  it('may be left while megabytes are joined', () => {
    const steps = (pieces: number): number => {
      const out = new Pieces();
      for (let i = 0; i < pieces; i++) out.bytes(Buffer.alloc(MIB / 8, i));
      const work = out.joinSteps();
      for (let count = 0; ; count++) {
        const step = work.next();
        if (step.done !== true) continue;
        expect(step.value.length).toBe((pieces * MIB) / 8);
        expect(step.value.at(-1)).toBe(pieces - 1);
        return count;
      }
    };
    expect(steps(2)).toBeLessThanOrEqual(1);
    expect(steps(80)).toBe(40);
  });
});
