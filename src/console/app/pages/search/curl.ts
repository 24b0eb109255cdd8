// A search as a command for a shell. The key is named as a variable, never written out.
import { jsonText } from '../../kit/json.js';

export function curlOf(origin: string, target: string, body: unknown, hasKey: boolean): string {
  return [
    `curl -X POST ${quoted(origin + target)}`,
    ...(hasKey ? ['  -H "authorization: ApiKey $QUARRY_API_KEY"'] : []),
    "  -H 'content-type: application/json'",
    `  -d ${quoted(jsonText(body))}`,
  ].join(' \\\n');
}

/** Within single quotes a shell reads everything as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
