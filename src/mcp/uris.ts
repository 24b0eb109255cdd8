// URIs of resources: svc://memory/{ns}/{id}, svc://index/{index}/{id}, svc://brain/{brain}/{node}.

export type ResourceKind = 'memory' | 'index' | 'brain';

export function uriOf(shelf: ResourceKind, name: string, id: string): string {
  return `svc://${shelf}/${encodeURIComponent(name)}/${encodeURIComponent(id)}`;
}

/** Undefined if the URI has another form. */
export function readUri(
  uri: string,
): { shelf: ResourceKind; name: string; id: string } | undefined {
  const [, shelf, name, id] = /^svc:\/\/(memory|index|brain)\/([^/]+)\/([^/]+)$/.exec(uri) ?? [];
  if (shelf === undefined || name === undefined || id === undefined) return undefined;
  try {
    return {
      shelf: shelf as ResourceKind,
      name: decodeURIComponent(name),
      id: decodeURIComponent(id),
    };
  } catch {
    return undefined;
  }
}
