// `quarry eval FILE`: how well the running service recalls, by the questions of a file or of a
// published set of dialogues.
import { ConfigError } from '../../config/load.js';
import { argumentsOf, jsonFlag, wholeFlag } from '../reading.js';
import type { Verb, VerbContext } from '../verb.js';
import { evaluate } from './questions.js';
import { readDialogueSet } from './read-set.js';
import { DEFAULT_MODES, evaluateDialogues, MODES, tableOf } from './run-dialogues.js';

const DEFAULT_K = 10;

export const EVAL: Verb = {
  name: 'eval',
  usage: ['FILE [--k N]', 'SET [--modes LIST] [--settings JSON]'],
  about:
    'Asks the questions of a file and says how well each namespace recalls, and what has changed since the last run. A line is a recall with its namespace and the ids that it should bring: {"namespace": "ann", "query": "where does she live", "ids": ["rome"]}. SET is a published set of dialogues, the file of LoCoMo or LongMemEval, or the file or folder of BEAM: its turns are stored in namespaces eval-NAME, which are removed afterwards.',
  flags: {
    k: 'memories that count (10)',
    modes: `of recall, between commas: ${Object.keys(MODES).join(', ')} (${DEFAULT_MODES.join(',')})`,
    settings: 'of the namespaces of a set, as PUT /_memory/{namespace} takes them',
  },
  examples: [
    'eval questions.ndjson',
    'eval questions.ndjson --k 5 --json',
    'eval locomo10.json --modes hybrid',
    `eval locomo10.json --settings '{"inference_id": "local:minilm"}'`,
  ],
  run,
};

async function run(context: VerbContext): Promise<number> {
  const [file = ''] = argumentsOf(context, 'FILE');
  const k = wholeFlag(context, 'k');
  if (k === 0) throw new ConfigError('--k must be a whole number from 1');
  const print = context.json ? () => {} : context.print;
  const set = readDialogueSet(file);
  if (set === undefined) {
    refuse(context, ['modes', 'settings'], 'a file of questions');
    const results = await evaluate({ file, client: context.client(), k: k ?? DEFAULT_K }, print);
    if (context.json) context.print(JSON.stringify(results));
    return 0;
  }
  refuse(context, ['k'], 'a set of dialogues, whose figures have their own depths');
  const results = await evaluateDialogues(set, {
    client: context.client(),
    modes: modesOf(context.values.get('modes')),
    settings: jsonFlag(context, 'settings'),
    progress: context.json ? undefined : context.progress,
  });
  for (const line of tableOf(results)) print(line);
  if (context.json) context.print(JSON.stringify(results));
  return 0;
}

function refuse({ values }: VerbContext, names: readonly string[], kind: string): void {
  const given = names.find((name) => values.has(name));
  if (given !== undefined) throw new ConfigError(`--${given} does not belong to ${kind}`);
}

function modesOf(value: string | undefined): readonly string[] {
  if (value === undefined) return DEFAULT_MODES;
  const names = value.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !Object.hasOwn(MODES, name));
  if (wrong === undefined) return [...new Set(names)];
  throw new ConfigError(`--modes knows ${Object.keys(MODES).join(', ')}, found [${wrong}]`);
}
