// Runs detectors over a few documents, as a detection does, and prints their findings.
import type { JsonObject } from '../../../src/backend/index.ts';
import { runToCompletion } from '../../../src/base/cooperative-task.ts';
import { readDocument } from '../../../src/graph/detectors/document.ts';
import { DETECTORS } from '../../../src/graph/detectors/index.ts';
import { NodeNames } from '../../../src/graph/detectors/node-names.ts';
import { type Finding, findingsIn } from '../../../src/graph/findings.ts';

export type Documents = Readonly<Record<string, JsonObject>>;

export function findings(documents: Documents, names?: readonly string[]): readonly Finding[] {
  const all = Object.entries(documents).map(([id, source]) => readDocument(id, source));
  const workers = DETECTORS.filter(({ name }) => names?.includes(name) ?? true).map((detector) => ({
    detector,
    running: detector.begin(),
  }));
  const known = new NodeNames();
  for (const document of all) {
    known.add(document);
    for (const { running } of workers) running.learn?.(document);
  }
  return all
    .flatMap((document) => runToCompletion(findingsIn(document, known, workers)))
    .filter(({ keeps }) => keeps());
}

/** `src -type-> dst "quote"`, sorted; proposals have a question mark. */
export function found(documents: Documents, names?: readonly string[]): readonly string[] {
  return findings(documents, names)
    .map(
      ({ src, dst, type, evidence, suggested }) =>
        `${src} -${type}${suggested ? '?' : ''}-> ${dst} "${String(evidence['quote'])}"`,
    )
    .sort();
}
