// Tells the published sets of dialogues apart by what is in them, and reads them.
import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from '../../config/load.js';
import { isBeam, readBeam, readBeamFolder } from './beam.js';
import type { DialogueSet } from './dialogue.js';
import { isLocomo, readLocomo } from './locomo.js';
import { isLongMemEval, readLongMemEval } from './longmemeval.js';

interface Format {
  readonly is: (item: unknown) => boolean;
  readonly read: (items: readonly unknown[]) => DialogueSet;
}

const FORMATS: readonly Format[] = [
  { is: isLocomo, read: readLocomo },
  { is: isLongMemEval, read: readLongMemEval },
  { is: isBeam, read: readBeam },
];

/** Undefined if the file is none of the sets. Throws ConfigError if it cannot be read. */
export function readDialogueSet(path: string): DialogueSet | undefined {
  try {
    if (statSync(path).isDirectory()) {
      const set = readBeamFolder(path);
      if (set === undefined) throw new Error('the folder holds no dialogues of BEAM');
      return filled(set);
    }
    const items = itemsOf(readFileSync(path, 'utf8'));
    const format = FORMATS.find(({ is }) => is(items[0]));
    return format === undefined ? undefined : filled(format.read(items));
  } catch (error) {
    throw new ConfigError(`cannot read the questions: ${(error as Error).message}`);
  }
}

function filled(set: DialogueSet): DialogueSet {
  if (set.dialogues.length > 0) return set;
  throw new Error('no question of it names a turn that answers it');
}

/** The members of a list, the lines of a file of lines, or the one object that there is. */
function itemsOf(text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (lines.length > 1 && first.startsWith('{') && first.trimEnd().endsWith('}')) {
    // Files of questions are read again, line by line, with the number of a bad one.
    return FORMATS.some(({ is }) => is(parsed(first))) ? lines.map((line) => JSON.parse(line)) : [];
  }
  const whole = parsed(text);
  return Array.isArray(whole) ? whole : [whole];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
