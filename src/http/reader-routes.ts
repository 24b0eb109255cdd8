// The routes that readers answer: searches and counts.
import type { ApiDeps, Route } from '../api/kit/routes.js';
import { searchRoutes } from '../api/search/search.js';

export function readerRoutes(deps: ApiDeps): readonly Route[] {
  return searchRoutes(deps);
}
