// Golden bytes, shared with the native tests: a description and the bytes in hex. `vitest -u`
// writes them again.
import { expect } from 'vitest';

export async function expectGolden(
  name: string,
  description: string,
  bytes: Uint8Array,
): Promise<void> {
  const hex = Buffer.from(bytes).toString('hex');
  await expect(`${JSON.stringify({ description, hex }, null, 2)}\n`).toMatchFileSnapshot(
    `../golden/wire/${name}.json`,
  );
}
