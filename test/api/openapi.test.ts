// The API document: it is complete, valid, and every name in it is known.
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { ApiDeps, Route } from '../../src/api/kit/routes.ts';
import { openApiDocument } from '../../src/api/openapi.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import type { RouteSchema } from '../../src/api/schemas/kinds.ts';
import { PATH_PARAMS, QUERY_PARAMS } from '../../src/api/schemas/params.ts';
import { SHARED } from '../../src/api/schemas/shared.ts';
import type { ApiDocument } from '../tools/api-document.ts';
import { ApiChecker } from '../tools/openapi-check.ts';
import { fakeServer } from './fake-backend.ts';

/** The list of routes is data, so the dependencies of the handlers may be missing. */
const routes = allRoutes({ live: { get: () => 1 } } as unknown as ApiDeps);
const documented = routes.flatMap((route): (Route & { readonly schema: RouteSchema })[] =>
  typeof route.schema === 'object' ? [{ ...route, schema: route.schema }] : [],
);
const document = openApiDocument(routes);
type Operation = { readonly operationId: string };
const operations = Object.values(document['paths'] as Record<string, Record<string, Operation>>)
  .flatMap((item) => Object.values(item))
  .map(({ operationId }) => operationId);

describe('every route', () => {
  test('says what it takes and answers, or that it is no part of the API', () => {
    const silent = routes.filter(({ schema }) => schema === undefined);
    expect(silent.map(({ methods, paths }) => `${methods.join()} ${paths.join()}`)).toEqual([]);
    expect(operations.length).toBeGreaterThan(180);
  });

  test('has parameters that are described', () => {
    const unknown = documented.flatMap(({ params, paths, schema }) => [
      ...params.filter((name) => !(name in QUERY_PARAMS) && !(name in (schema.params ?? {}))),
      ...paths.flatMap((path) =>
        [...path.matchAll(/:(\w+)/g)]
          .map(([, name = '']) => name)
          .filter((name) => !(name in PATH_PARAMS)),
      ),
    ]);
    expect(unknown).toEqual([]);
  });

  test('describes no parameter that it does not read', () => {
    const extra = documented.flatMap(({ params, schema }) =>
      [...Object.keys(schema.params ?? {}), ...(schema.needs ?? [])].filter(
        (name) => !params.includes(name),
      ),
    );
    expect(extra).toEqual([]);
    const read = new Set(documented.flatMap(({ params }) => params));
    expect(Object.keys(QUERY_PARAMS).filter((name) => !read.has(name))).toEqual([]);
  });
});

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('names every operation once', () => {
    expect(operations.length).toBe(new Set(operations).size);
    expect(operations.filter((id) => !/^[a-z][a-z0-9_]*$/.test(id))).toEqual([]);
  });

  test('refers only to what it has, and has nothing in vain', () => {
    const text = JSON.stringify(document);
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual(Object.keys(SHARED).sort());
  });

  test('has no two paths of the same shape', () => {
    const shapes = Object.keys(document['paths'] as object).map((path) =>
      path.replace(/\{\w+\}/g, '{}'),
    );
    expect(shapes.length).toBe(new Set(shapes).size);
  });
});

describe('answers are held against it', () => {
  const checker = new ApiChecker(document as unknown as ApiDocument);
  const faults = (path: string, status: number, text: string): readonly string[] =>
    checker.faults({ method: 'GET', path, status, contentType: 'application/json', text });

  test('and found wanting', () => {
    const shards = '{"total":1,"successful":1,"failed":0}';
    expect(faults('/a/_count', 200, `{"count":1,"_shards":${shards}}`)).toEqual([]);
    expect(faults('/a/_count', 200, `{"count":"1","_shards":${shards}}`)).toEqual([
      expect.stringMatching('count_by_index 200: /count must be integer'),
    ]);
    expect(faults('/a/_count', 200, '{"count":1,"_shards":{}}')).not.toEqual([]);
    expect(faults('/_count', 201, '{}')).toEqual(['count: status 201 is not in the document']);
    expect(faults('/_count', 400, '{}')).not.toEqual([]);
  });
});

describe('the page', () => {
  test('is served without any address but ours', async () => {
    const server = await fakeServer({}, {}, { starting: true });
    const page = await server.app.inject({ url: '/docs' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(addresses.length).toBe(3);
    for (const url of addresses) {
      const file = await server.app.inject({ url });
      expect([url, file.statusCode]).toEqual([url, 200]);
      expect(file.body.length).toBeGreaterThan(50);
    }
    const json = await server.app.inject({ url: '/openapi.json' });
    expect(json.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0' } });
    await server.close();
  });
});
