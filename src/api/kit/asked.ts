// What every route checks of a request before its handler sees it.
import { answerType, formatOf } from './media-types.js';
import type { ApiRequest, Route } from './routes.js';

/** The media type of the answer. Refuses parameters that nobody knows and media types that nobody writes. */
export function validateRequest(route: Route, { accept, params, path }: ApiRequest): string {
  const format = params.text('format');
  const type = answerType(accept, format);
  if (route.anyParams !== true) {
    params.refuseUnknown(route.params, path);
    params.checkTaken();
  }
  if (!route.params.includes('format')) formatOf(format ?? 'json');
  return type;
}
