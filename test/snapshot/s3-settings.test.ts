// Settings of repositories in S3, and the places that a configuration permits.
import { describe, expect, test } from 'vitest';
import { type RepositoryPlace, readRepositoryBody } from '../../src/snapshot/repository-body.ts';
import { AllowedPlaces, placeText, readPlace } from '../../src/snapshot/s3/place.ts';
import { Stores } from '../../src/snapshot/stores.ts';

function read(settings: Readonly<Record<string, string | number | boolean>>): RepositoryPlace {
  return readRepositoryBody('r', { type: 's3', settings }).place;
}

describe('settings', () => {
  test('without an endpoint the place is that of AWS', () => {
    expect(read({ bucket: 'my-bucket', region: 'eu-central-1', base_path: '/a/b/' })).toEqual({
      type: 's3',
      partBytes: 8 * 1024 * 1024,
      place: {
        endpoint: 'https://s3.eu-central-1.amazonaws.com',
        bucket: 'my-bucket',
        basePath: 'a/b',
        region: 'eu-central-1',
        pathStyle: false,
      },
    });
  });

  test.each([
    [{ endpoint: 'http://10.0.0.7:9000' }, true],
    [{ endpoint: 'http://[::1]:9000' }, true],
    [{ endpoint: 'localhost:9000' }, true],
    [{ endpoint: 's3.example.com' }, false],
    [{ endpoint: 's3.example.com', path_style_access: true }, true],
    [{ bucket: 'with.dots' }, true],
  ])('%o has the bucket in the path: %s', (settings, expected) => {
    expect(read({ bucket: 'b-1', ...settings })).toMatchObject({ place: { pathStyle: expected } });
  });

  test.each([
    [{}, 'No bucket defined for s3 repository'],
    [{ bucket: 'UPPER' }, 'setting [bucket] must be'],
    [{ bucket: 'a/b' }, 'setting [bucket] must be'],
    [{ bucket: 'a..b' }, 'setting [bucket] must be'],
    [{ base_path: 'a/../b' }, 'setting [base_path] must be'],
    [{ base_path: 'a//b' }, 'setting [base_path] must be'],
    [{ base_path: 'ü' }, 'setting [base_path] must be'],
    [{ region: 'eu central' }, 'setting [region] must be'],
    [{ endpoint: 'https://user:secret@host' }, 'setting [endpoint] must be'],
    [{ endpoint: 'https://host/path' }, 'setting [endpoint] must be'],
    [{ endpoint: 'file:///etc' }, 'setting [endpoint] must be'],
    [{ endpoint: 'gopher://host' }, 'setting [endpoint] must be'],
    [{ endpoint: '' }, 'setting [endpoint] must be'],
    [{ access_key: 'x' }, '[access_key] is not supported by type [s3], keys are never stored'],
    [{ secret_key: 'x' }, 'keys are never stored'],
    [{ session_token: 'x' }, 'keys are never stored'],
    [{ chunk_size: '1gb' }, 'files are not split'],
    [{ protocol: 'http' }, 'write it into [endpoint]'],
    [{ location: '/x' }, 'setting [location] is not supported by type [s3], known are [bucket'],
    [{ storage_class: 'x' }, 'setting [storage_class] is not supported by type [s3]'],
    [{ server_side_encryption: true }, 'is not supported by type [s3]'],
    [{ client: 'other' }, 'setting [client] must be [default]'],
    [{ buffer_size: '4mb' }, 'must be >= [5mb]'],
    [{ buffer_size: '1gb' }, 'must be >= [5mb] and <= [100mb]'],
    [{ path_style_access: 'yes' }, 'only [true] or [false] are allowed'],
  ])('%o is refused', (settings, why) => {
    const bucket = Object.keys(settings).length === 0 ? {} : { bucket: 'b-1' };
    expect(() => read({ ...bucket, ...settings })).toThrow(why);
  });
});

describe('the permitted places', () => {
  const at = (endpoint: string, bucket: string, basePath = '') =>
    readPlace({ bucket, basePath, endpoint, region: undefined, pathStyle: false });

  test.each([
    ['https://s3.example.com/backups', at('https://s3.example.com', 'backups')],
    ['https://S3.example.com:443/backups/', at('s3.example.com', 'backups', 'any/path')],
    ['s3.example.com/backups/a', at('https://s3.example.com', 'backups', 'a')],
    ['s3.example.com/backups/a', at('https://s3.example.com', 'backups', 'a/b')],
    ['x.org/other, http://127.0.0.1:9000/backups', at('http://127.0.0.1:9000', 'backups')],
  ])('[%s] permits %o', (list, place) => {
    expect(new AllowedPlaces(list).objection(place)).toBeUndefined();
  });

  test.each([
    ['', at('s3.example.com', 'backups')],
    ['https://s3.example.com/backups', at('http://s3.example.com', 'backups')],
    ['https://s3.example.com/backups', at('https://s3.example.com:444', 'backups')],
    ['https://s3.example.com/backups', at('https://s3.example.com', 'backups2')],
    ['https://s3.example.com/backups/a', at('https://s3.example.com', 'backups', 'ab')],
    ['https://s3.example.com/backups/a', at('https://s3.example.com', 'backups')],
    ['https://s3.example.com/backups', at('https://s3.example.com.evil.org', 'backups')],
  ])('[%s] does not permit %o', (list, place) => {
    expect(new AllowedPlaces(list).objection(place)).toContain(`[${placeText(place)}] is not`);
  });

  test.each([
    'backups',
    'https://s3.example.com',
    'https://s3.example.com/A',
    'ftp://x/backups',
  ])('the entry [%s] is refused', (entry) => {
    expect(() => new AllowedPlaces(entry)).toThrow(`[snapshot.s3_places] has the entry [${entry}]`);
  });
});

describe('opening', () => {
  const stores = (environment: Record<string, string>, places = 'http://127.0.0.1:1/backups') =>
    new Stores({
      dataDir: '/nowhere',
      roots: [],
      places: new AllowedPlaces(places),
      environment: (name) => environment[name],
      surroundings: {
        nowMs: () => 0,
        random: () => 0,
        pause: async () => {},
        signal: new AbortController().signal,
      },
    });
  const place = read({ bucket: 'backups', endpoint: 'http://127.0.0.1:1' });

  test('needs both keys in the environment', async () => {
    for (const keys of [{}, { AWS_ACCESS_KEY_ID: 'a' }, { AWS_SECRET_ACCESS_KEY: 'a' }]) {
      await expect(stores(keys).open('r', place)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('[AWS_ACCESS_KEY_ID] and [AWS_SECRET_ACCESS_KEY]'),
      });
    }
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    expect((await stores(keys).open('r', place)).location).toBe('http://127.0.0.1:1/backups');
  });

  test('refuses a place that is not permitted before keys are looked for', async () => {
    await expect(stores({}, '').open('r', place)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('--snapshot.s3_places=ENDPOINT/BUCKET'),
    });
  });
});
