// Stub responses in place of a service.
import type { Answer, Seen } from './proxy.ts';

/** The responses of a service without data in which every write succeeds. */
export function answerTo({ method, path, body }: Seen): Answer {
  if (path === '/_bulk') return { status: 200, body: { items: itemsOf(body, 201) } };
  if (path.endsWith('_mget')) return { status: 200, body: { docs: [] } };
  if (path.endsWith('_count')) return { status: 200, body: { count: 0 } };
  if (path.endsWith('_settings')) {
    const name = path.split('/')[1] ?? '';
    return { status: 200, body: { [name]: { settings: { index: { uuid: `u-${name}` } } } } };
  }
  return { status: method === 'PUT' ? 201 : 200, body: {} };
}

/** The items of a bulk response: one with that status for each document. */
export function itemsOf(body: string, status: number): readonly object[] {
  const actions = body.split('\n').filter((_, i, lines) => i % 2 === 0 && i < lines.length - 1);
  return actions.map(() => ({ index: { status } }));
}
