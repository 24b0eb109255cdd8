// Models of a data folder in processes of their own: adding, embedding, and every way in which a
// model, its files or the runtime go wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { LocalModel } from '../../../src/embed/local/local-model.ts';
import {
  type LocalModelSettings,
  LocalModels,
  probeModel,
} from '../../../src/embed/local/local-models.ts';
import { ModelStore } from '../../../src/embed/local/model-store.ts';
import {
  type FakeModel,
  fakeVector,
  installFakeRuntime,
  writeFakeModel,
} from '../../tools/fake-runtime.ts';

const DIMS = 6;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface World {
  readonly folder: string;
  readonly store: ModelStore;
  readonly settings: LocalModelSettings;
  readonly models: LocalModels;
  add(model: FakeModel, name?: string, maxTokens?: number): Promise<LocalModel>;
}

function world(more: Partial<LocalModelSettings> = {}): World {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-models-'));
  installFakeRuntime(folder);
  const settings = {
    runtimeDir: folder,
    threads: 1,
    timeoutMs: () => 20_000,
    memoryBytes: () => 2 ** 31,
    ...more,
  };
  const store = new ModelStore(join(folder, 'data'));
  const models = new LocalModels(({ name }) => store.find(name), settings);
  closing.push(() => {
    models.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    store,
    settings,
    models,
    async add(model, name = 'm', maxTokens = undefined) {
      const source = join(folder, `source-${name}`);
      writeFakeModel(source, model);
      // Models that misbehave do so after they were added.
      const { fails: _fails, ...sound } = model;
      const probe = probeModel(settings);
      writeFakeModel(source, model.atTokens === undefined ? sound : model);
      const added = await store.add(source, name, { maxTokens, probe });
      return added;
    },
  };
}

describe('a model that works', () => {
  test('gives each text the mean of its tokens, with length 1', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS });
    expect(model).toMatchObject({ name: 'm', dims: DIMS, maxTokens: 256 });
    const results = await models.embed(model, ['cat', 'dog cat', 'cab', '']);
    const expected = [['cat'], ['dog', 'cat'], ['c', '##a', '##b'], []];
    for (const [i, tokens] of expected.entries()) {
      const vector = results[i] as Float32Array;
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      for (const [d, value] of fakeVector(tokens, DIMS).entries()) {
        expect(vector[d]).toBeCloseTo(value, 6);
      }
    }
  });

  test('without [token_type_ids] is not given any', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS, inputs: ['input_ids', 'attention_mask'] });
    expect((await models.embed(model, ['cat']))[0]).toBeInstanceOf(Float32Array);
  });

  test('sees no more tokens than it was added with', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS }, 'm', 8);
    const [long, short] = await models.embed(model, ['cat '.repeat(100), 'cat '.repeat(6)]);
    expect(long).toEqual(short);
  });

  test('is started again after its process was ended', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS });
    const [before] = await models.embed(model, ['cat']);
    models.close();
    expect(await models.embed(model, ['cat'])).toEqual([before]);
  });

  test('has an identity that follows from its files and options', async () => {
    const { add, store } = world();
    const one = await add({ dims: DIMS }, 'one');
    const same = await add({ dims: DIMS }, 'two');
    const shorter = await add({ dims: DIMS }, 'three', 64);
    const other = await add({ dims: DIMS + 1 }, 'four');
    expect(same.fingerprint).toBe(one.fingerprint);
    expect(new Set([one, shorter, other].map(({ fingerprint }) => fingerprint)).size).toBe(3);
    expect(store.names()).toEqual(['four', 'one', 'three', 'two']);
  });
});

describe('a text', () => {
  test.each([
    ['run', 'cannot embed it: indices element out of data bounds'],
    ['zeros', 'gave a vector of zeros'],
    ['nan', 'gave numbers that are not finite'],
  ] as const)('that a model fails on (%s) has a reason, and the others a vector', async (fails, why) => {
    const { models, add } = world();
    const model = await add({ dims: DIMS, fails, atTokens: 5 });
    const [good, bad] = await models.embed(model, ['cat', 'cat dog cat']);
    expect(good).toBeInstanceOf(Float32Array);
    expect(bad).toBe(why);
  });
});

describe('a process', () => {
  test('that crashes is an error of its texts alone, and rests before it is started again', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS, fails: 'crash', atTokens: 5 });
    await expect(models.embed(model, ['cat dog cat'])).rejects.toThrow(
      'the local model [m] ended by SIGSEGV',
    );
    await expect(models.embed(model, ['cat'])).rejects.toThrow('it is started again in 1 s');
    await expect
      .poll(() => models.embed(model, ['cat']).catch(() => undefined), { timeout: 10_000 })
      .toBeDefined();
  });

  test('that gives no answer in time is ended', async () => {
    const { models, add, settings } = world();
    const model = await add({ dims: DIMS, fails: 'hang', atTokens: 5 });
    Object.assign(settings, { timeoutMs: () => 1500 });
    await expect(models.embed(model, ['cat dog cat'])).rejects.toThrow(
      'the local model [m] gave no answer within 1500 ms',
    );
  });

  test.runIf(process.platform === 'linux')('that takes too much memory is ended', async () => {
    const { models, add, settings } = world();
    const model = await add({ dims: DIMS, fails: 'memory', atTokens: 5 });
    Object.assign(settings, { memoryBytes: () => 256 * 2 ** 20 });
    await expect(models.embed(model, ['cat dog cat'])).rejects.toThrow(
      'took more memory than [inference.local_memory_bytes]',
    );
  });

  test('that is ended while it works rejects its call', async () => {
    const { models, add } = world();
    const model = await add({ dims: DIMS, fails: 'hang', atTokens: 5 });
    const call = models.embed(model, ['cat dog cat']);
    await models.embed(await add({ dims: DIMS }, 'other'), ['cat']);
    models.close();
    await expect(call).rejects.toThrow('was ended');
  });

  test('does not see the environment of the service', async () => {
    process.env['A_SECRET_KEY'] = 'sk-secret';
    closing.push(() => {
      delete process.env['A_SECRET_KEY'];
    });
    const { models, add, folder } = world();
    const model = await add({ dims: DIMS });
    installFakeRuntime(folder, 'throw new Error("it saw " + process.env.A_SECRET_KEY)');
    await expect(models.embed(model, ['cat'])).rejects.toThrow('does not load: it saw undefined');
  });
});

describe('a model is refused when it is added', () => {
  test.each([
    [{ dims: DIMS, fails: 'create' }, 'is no ONNX model that this runtime reads: no such operator'],
    [{ dims: DIMS, fails: 'run' }, 'indices element out of data bounds'],
    [{ dims: DIMS, fails: 'crash-at-start' }, 'the model ended by SIGSEGV'],
    [{ dims: DIMS, fails: 'shape' }, 'has an output of type [float32] and shape [1, 6]'],
    [{ dims: 5000 }, 'makes vectors of 5000 dimensions'],
    [{ dims: DIMS, inputs: ['pixels'] }, 'has the inputs [pixels]'],
    [{ dims: DIMS, inputs: ['input_ids', 'attention_mask', 'x'] }, 'has the input [x]'],
  ] satisfies [FakeModel, string][])('because %j', async (model, why) => {
    const { folder, store, settings } = world();
    writeFakeModel(join(folder, 'source'), model);
    const probe = probeModel(settings);
    const added = store.add(join(folder, 'source'), 'm', { maxTokens: undefined, probe });
    await expect(added).rejects.toThrow(why);
    expect(store.names()).toEqual([]);
  });

  test('because the runtime is not installed', async () => {
    const { folder, store, settings } = world();
    writeFakeModel(join(folder, 'source'), { dims: DIMS });
    const probe = probeModel({ ...settings, runtimeDir: join(tmpdir(), 'elsewhere') });
    await expect(
      store.add(join(folder, 'source'), 'm', { maxTokens: undefined, probe }),
    ).rejects.toThrow(/needs onnxruntime-node, which is not in \[.*elsewhere\]: run "npm install/);
  });
});

describe('a stored model', () => {
  test.each([
    ['model.onnx', 'does not match its checksum: [model.onnx] was changed'],
    ['vocab.txt', 'does not match its checksum: [vocab.txt] was changed'],
  ])('whose [%s] was changed is not run', async (file, why) => {
    const { models, add, folder } = world();
    const model = await add({ dims: DIMS });
    writeFileSync(join(folder, 'data', 'models', 'm', file), '{"dims": 6}');
    await expect(models.embed(model, ['cat'])).rejects.toThrow(why);
  });

  test('whose description is damaged is named, and can be removed', async () => {
    const { add, folder } = world();
    await add({ dims: DIMS });
    writeFileSync(join(folder, 'data', 'models', 'm', 'model.json'), '{}\n');
    const store = new ModelStore(join(folder, 'data'));
    expect(() => store.find('m')).toThrow('remove the model and add it again');
    expect(store.names()).toEqual(['m']);
    await store.remove('m');
    expect(store.names()).toEqual([]);
    await expect(store.remove('m')).rejects.toThrow('there is no model [m], there is none');
  });

  test('is not replaced by another of its name', async () => {
    const { add } = world();
    await add({ dims: DIMS });
    await expect(add({ dims: DIMS + 1 })).rejects.toThrow('there is a model [m]');
  });
});

test('of more models than may run, the one that was idle for longest makes room', async () => {
  const { models, add } = world();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const all: LocalModel[] = [];
  for (const [i, name] of names.entries()) all.push(await add({ dims: DIMS + i }, name));
  for (const model of [...all, ...all]) {
    const [vector] = await models.embed(model, ['cat']);
    expect((vector as Float32Array).length).toBe(model.dims);
  }
});
