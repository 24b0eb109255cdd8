// Checks that apply to every request before it reaches a handler.
import { answerType, formatOf } from './media-types.js';
import type { ApiRequest, Route } from './routes.js';

/**
 * Returns the media type of the answer. Throws for unknown URL parameters and for unsupported media
 * types.
 */
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
