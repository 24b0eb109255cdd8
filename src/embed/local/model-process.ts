// The entry point of the process of a sentence model: it reads the model, then embeds texts, one
// question at a time, until its parent goes. A crash of the native runtime ends this process alone.
import { writeFileSync } from 'node:fs';
import type { FromModel, ToModel } from './model-messages.js';
import { loadRuntime } from './runtime.js';
import { SentenceModel } from './sentence-model.js';

let model: SentenceModel | undefined;

if (process.send === undefined) throw new Error('runs as a process of the service alone');
preferAsVictim();
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToModel) => {
  void answer(message).then((reply) => process.send?.(reply));
});

async function answer(message: ToModel): Promise<FromModel> {
  try {
    if (message.kind === 'load') {
      const { folder, files, runtimeDir, threads } = message;
      model = await SentenceModel.load(loadRuntime(runtimeDir), folder, files, threads);
      return { kind: 'loaded', dims: model.dims };
    }
    if (model === undefined) throw new Error('is not loaded');
    const results: (Float32Array<ArrayBuffer> | string)[] = [];
    for (const text of message.texts) results.push(await model.embed(text));
    return { kind: 'embedded', results };
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

/** Where memory runs out, the system ends this process before the service. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Other systems have no such file.
  }
}
