// Searches that the user saved in this browser: indexes and the form or the request, never a key.
import { signal } from '@preact/signals';
import { isObject, jsonText, parseJson } from '../../kit/json.js';
import type { Filter, Mode } from './request.js';

export interface SavedSearch {
  readonly name: string;
  readonly index: string;
  readonly text: string;
  readonly filters: readonly Filter[];
  readonly left: Mode;
  readonly right: Mode | 'none';
  /** A request that was edited by hand. */
  readonly request?: string;
}

const ITEM = 'quarry.searches';
const MOST = 100;
const MODES: ReadonlySet<unknown> = new Set(['words', 'semantic', 'vector', 'hybrid', 'none']);

export const savedSearches = signal<readonly SavedSearch[]>(read());

/** Replaces one of the same name. */
export function saveSearch(search: SavedSearch): void {
  const others = savedSearches.value.filter(({ name }) => name !== search.name);
  write([search, ...others].slice(0, MOST));
}

export function removeSearch(name: string): void {
  write(savedSearches.value.filter((search) => search.name !== name));
}

function write(searches: readonly SavedSearch[]): void {
  savedSearches.value = searches;
  try {
    localStorage.setItem(ITEM, jsonText(searches, 0));
  } catch {
    // Storage is full or switched off: they live as long as the page.
  }
}

/** What another version of the console, or anybody else, has written is checked. */
function read(): readonly SavedSearch[] {
  try {
    const value = parseJson(localStorage.getItem(ITEM) ?? '[]');
    return Array.isArray(value) ? value.filter(isSavedSearch) : [];
  } catch {
    return [];
  }
}

export function isSavedSearch(value: unknown): value is SavedSearch {
  if (!isObject(value)) return false;
  const { name, index, text, filters, left, right, request } = value;
  return (
    [name, index, text].every((member) => typeof member === 'string') &&
    MODES.has(left) &&
    left !== 'none' &&
    MODES.has(right) &&
    (request === undefined || typeof request === 'string') &&
    Array.isArray(filters) &&
    filters.every(
      (filter) =>
        isObject(filter) &&
        typeof filter['field'] === 'string' &&
        ['string', 'number', 'boolean'].includes(typeof filter['value']),
    )
  );
}
