// The routes that readers answer: searches and counts.
import type { ApiDeps, Route } from './routes.js';
import { searchRoutes } from './search.js';

export function readerRoutes(deps: ApiDeps): readonly Route[] {
  return searchRoutes(deps);
}
