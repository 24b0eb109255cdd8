// Converts the URL parameters of a term suggestion to a `suggest` section.
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { UrlParams } from '../kit/params.js';

export const SUGGEST_PARAMS = [
  'suggest_field',
  'suggest_text',
  'suggest_mode',
  'suggest_size',
] as const;

/** Undefined if no suggestion is requested; otherwise it replaces the section in the body. */
export function suggestParam(params: UrlParams): JsonObject | undefined {
  const field = params.text('suggest_field');
  const mode = params.text('suggest_mode');
  const size = params.integer('suggest_size');
  const text = params.text('suggest_text') ?? params.text('q');
  if (field === undefined) {
    const given = SUGGEST_PARAMS.find((name) => params.text(name) !== undefined);
    if (given === undefined) return undefined;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${given}] needs [suggest_field], the field that suggestions come from`,
    );
  }
  const term = {
    field,
    ...(mode === undefined ? {} : { suggest_mode: mode }),
    ...(size === undefined ? {} : { size }),
  };
  return { [field]: { ...(text === undefined ? {} : { text }), term } };
}
