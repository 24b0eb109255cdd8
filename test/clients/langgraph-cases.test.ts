// The cases that hold the stores for LangGraph of both clients to one behaviour
// (clients/cases/langgraph.json), run against the client for TypeScript.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clauseOf, matches, scalarsOf } from '../../clients/typescript/langgraph/filters.ts';
import {
  keyOf,
  labelsOf,
  memoryId,
  namespaceName,
} from '../../clients/typescript/langgraph/names.ts';
import { textOf } from '../../clients/typescript/langgraph/texts.ts';

type Json = Record<string, unknown>;

interface StoreCases {
  readonly names: readonly [string[], string][];
  readonly foreign: readonly string[];
  readonly ids: readonly [string, string][];
  readonly texts: readonly [Json, string[], string][];
  readonly scalars: readonly [Json, Json][];
  readonly clauses: readonly [Json, Json | null][];
  readonly matches: readonly [Json, Json, boolean][];
  readonly unknown_operator: readonly [Json, Json];
}

const store = JSON.parse(readFileSync('clients/cases/langgraph.json', 'utf8')) as StoreCases;

describe('names of LangGraph', () => {
  test.each(store.names)('%j is %s, and back', (labels, name) => {
    expect(namespaceName('lg', labels)).toBe(name);
    expect(labelsOf('lg', name)).toEqual(labels);
  });

  test.each(store.foreign)('%s is no name of a store', (name) => {
    expect(labelsOf('lg', name)).toBeUndefined();
  });

  test.each(store.ids)('the key %j is the id %s, and back', (key, id) => {
    expect(memoryId(key)).toBe(id);
    expect(keyOf(id)).toBe(key);
  });

  test('are refused where they are too long or no text', () => {
    expect(() => namespaceName('lg', ['a'.repeat(198)])).toThrow('at most 200');
    expect(() => namespaceName('lg', ['\ud800'])).toThrow('surrogate');
    expect(() => memoryId('\ud800')).toThrow('surrogate');
  });
});

describe('items of LangGraph', () => {
  test.each(store.texts)('%j at %j has the text %j', (value, paths, text) => {
    expect(textOf(value, paths)).toBe(text);
  });

  test.each(store.scalars)('%j is filtered by %j', (value, scalars) => {
    expect(scalarsOf(value)).toEqual(scalars);
  });

  test.each(store.clauses)('the filter %j is the clause %j', (filter, clause) => {
    expect(clauseOf(filter) ?? null).toEqual(clause);
  });

  test.each(store.matches)('%j and the filter %j: %j', (value, filter, expected) => {
    expect(matches(value, filter)).toBe(expected);
  });

  test('are filtered by known operators alone', () => {
    const [value, filter] = store.unknown_operator;
    expect(() => matches(value, filter)).toThrow('[$in] is unknown');
    expect(() => clauseOf(filter)).toThrow('[$in] is unknown');
  });
});
