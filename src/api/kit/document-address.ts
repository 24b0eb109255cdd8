// Shared by single-document routes: the document id in the path, and the version types.
import { QuarryError } from '../../errors.js';
import { type ApiRequest, part } from './routes.js';

export const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;
const MAX_ID_BYTES = 512;

/** The id in the path; at most 512 bytes of UTF-8. */
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
