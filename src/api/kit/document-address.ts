// What single-document routes share: the id of the path and the kinds of version a caller may name.
import { QuarryError } from '../../errors.js';
import { type ApiRequest, part } from './routes.js';

export const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;
const MAX_ID_BYTES = 512;

/** The id of the path, checked for length. */
export function documentId(request: ApiRequest): string {
  const id = part(request, 'id');
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: id is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes};`,
    );
  }
  return id;
}
