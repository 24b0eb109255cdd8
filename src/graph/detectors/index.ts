// The registry of detectors, in the order in which they run: explicit syntax, fields, ids, then
// names and comparisons.
import { contradictions } from './contradictions.js';
import type { Detector } from './detector.js';
import { ids } from './ids.js';
import { markdownLinks } from './markdown-links.js';
import { mentions } from './mentions.js';
import { metadata } from './metadata.js';
import { quotations } from './quotations.js';
import { session } from './session.js';
import { sharedTerms } from './shared-terms.js';
import { symbols } from './symbols.js';
import { titles } from './titles.js';
import { wikiLinks } from './wiki-links.js';

export const DETECTORS: readonly Detector[] = [
  wikiLinks,
  markdownLinks,
  metadata,
  session,
  ids,
  mentions,
  symbols,
  quotations,
  titles,
  sharedTerms,
  contradictions,
];
