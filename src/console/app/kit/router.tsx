// The page and its inputs in the part of the address behind `#`, which browsers do not send:
// `#/indexes/books?tab=mapping`. Never a key.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface Route {
  /** Name of the page; empty for the first one. */
  readonly page: string;
  /** The decoded parts behind the name. */
  readonly parts: readonly string[];
  readonly params: URLSearchParams;
}

export type RouteParams = Readonly<Record<string, string | undefined>>;

export const route = signal<Route>(readRoute(location.hash));
addEventListener('hashchange', () => {
  route.value = readRoute(location.hash);
});

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...parts] = path.split('/').map(decoded);
  return { page, parts, params: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function href(
  page: string,
  parts: readonly string[] = [],
  params: RouteParams = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) query.set(name, value);
  }
  const path = [page, ...parts].map(encodeURIComponent).join('/');
  return `#/${path}${query.size === 0 ? '' : `?${query}`}`;
}

export function go(page: string, parts: readonly string[] = [], params: RouteParams = {}): void {
  location.hash = href(page, parts, params);
}

/** Changes parameters of the current page without a new entry in the history. */
export function replaceParams(changed: RouteParams): void {
  const { page, parts, params } = route.value;
  const all: Record<string, string | undefined> = { ...Object.fromEntries(params), ...changed };
  history.replaceState(null, '', href(page, parts, all));
  route.value = readRoute(location.hash);
}

export function PageLink({
  page,
  parts,
  params,
  children,
}: {
  readonly page: string;
  readonly parts?: readonly string[];
  readonly params?: RouteParams;
  readonly children: ComponentChildren;
}) {
  return <a href={href(page, parts, params)}>{children}</a>;
}
