// The significance heuristics of significant_terms: how much more frequent a term is in a set of
// documents than in the background.
import type { QuarryError } from '../../errors.js';
import { illegal } from '../values.js';
import type { AggParams } from './params.js';

/**
 * Arguments: found documents with the term, found documents, all documents with the term, all
 * documents.
 */
export type Heuristic = (
  subsetWith: number,
  subset: number,
  supersetWith: number,
  superset: number,
) => number;

function jlh(subsetWith: number, subset: number, supersetWith: number, superset: number): number {
  if (subset === 0 || superset === 0) return 0;
  const here = subsetWith / subset;
  // A background that excludes found documents may lack the term: it then counts as one document.
  const everywhere = Math.max(supersetWith, 1) / superset;
  const more = here - everywhere;
  return more <= 0 ? 0 : more * (here / everywhere);
}

function percentage(subsetWith: number, _subset: number, supersetWith: number): number {
  return supersetWith === 0 ? 0 : subsetWith / supersetWith;
}

/** The four cells of the contingency table of a term and the found documents. */
function table(isSuperset: boolean): (...counts: Parameters<Heuristic>) => {
  readonly n11: number;
  readonly n10: number;
  readonly n01: number;
  readonly n00: number;
} {
  return (subsetWith, subset, supersetWith, superset) => {
    if (isSuperset && (subsetWith > supersetWith || subset > superset)) throw notSuperset();
    const [outsideWith, outside] = isSuperset
      ? [supersetWith - subsetWith, superset - subset]
      : [supersetWith, superset];
    return {
      n11: subsetWith,
      n10: outsideWith,
      n01: subset - subsetWith,
      n00: outside - outsideWith,
    };
  };
}

const readSuperset = (params: AggParams): boolean => params.flag('background_is_superset') ?? true;

function notSuperset(): QuarryError {
  return illegal(
    'more documents were found than [background_filter] holds: let it hold them all, or set [background_is_superset] to [false]',
  );
}

interface Flags {
  readonly isSuperset: boolean;
  readonly negatives: boolean;
}

function readFlags(params: AggParams): Flags {
  return {
    isSuperset: readSuperset(params),
    negatives: params.flag('include_negatives') ?? false,
  };
}

function mutualInformation(params: AggParams): Heuristic {
  const flags = readFlags(params);
  const fields = table(flags.isSuperset);
  return (...counts) => {
    const { n11, n10, n01, n00 } = fields(...counts);
    const n = n11 + n10 + n01 + n00;
    const term = (both: number, row: number, column: number): number =>
      both === 0 ? 0 : (both / n) * Math.log2((n * both) / (row * column));
    const score =
      term(n11, n11 + n10, n11 + n01) +
      term(n01, n01 + n00, n11 + n01) +
      term(n10, n11 + n10, n10 + n00) +
      term(n00, n01 + n00, n10 + n00);
    const lessOften = n11 / (n11 + n01) < n10 / (n10 + n00);
    return !flags.negatives && lessOften ? 0 : score;
  };
}

function chiSquare(params: AggParams): Heuristic {
  const flags = readFlags(params);
  const fields = table(flags.isSuperset);
  return (...counts) => {
    const { n11, n10, n01, n00 } = fields(...counts);
    const n = n11 + n10 + n01 + n00;
    const lessOften = n11 / (n11 + n01) < n10 / (n10 + n00);
    if (!flags.negatives && lessOften) return 0;
    return (
      (n * (n11 * n00 - n01 * n10) ** 2) / ((n11 + n01) * (n11 + n10) * (n10 + n00) * (n01 + n00))
    );
  };
}

/** Normalised Google distance (Cilibrasi and Vitanyi 2007). */
function gnd(params: AggParams): Heuristic {
  const fields = table(readSuperset(params));
  return (...counts) => {
    const { n11, n10, n01, n00 } = fields(...counts);
    if (n11 === 0) return 0;
    const [term, found] = [Math.log(n11 + n10), Math.log(n11 + n01)];
    if (term === found && n10 === 0) return 1;
    const distance =
      (Math.max(term, found) - Math.log(n11)) /
      (Math.log(n11 + n10 + n01 + n00) - Math.min(term, found));
    return Math.exp(-distance);
  };
}

/** The heuristics by their names in the DSL. */
export const HEURISTICS: Readonly<Record<string, (params: AggParams) => Heuristic>> = {
  jlh: () => jlh,
  percentage: () => percentage,
  mutual_information: mutualInformation,
  chi_square: chiSquare,
  gnd,
};
