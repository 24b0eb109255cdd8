// Data whose every part would be a script, a tag or an attribute for a page that writes markup.
import { bulk, type TestServer } from '../../tools/server.ts';

/** What runs if anything of the data is ever read as markup or code. */
export const RUN = 'window.hostileRan=(window.hostileRan??0)+1';

export const HOSTILE: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `"><svg onload=${RUN}>`,
  `' onmouseover='${RUN}' x='`,
  `javascript:${RUN}`,
  `</textarea></pre></style><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `{{constructor.constructor("${RUN}")()}}\${${RUN}}`,
  '⟪<b>⟫ mark ⟪⟪ <i>open',
  '\u202e\u2066right to left\u0000\u0007\ud83d\ude00\ufeff',
  'x'.repeat(5000),
  `${'<div>'.repeat(500)}`,
  '__proto__',
  '%3Cscript%3E%2e%2e%2f&lt;script&gt;',
];

export const HOSTILE_INDEX = 'hostile';
export const HOSTILE_NAMESPACE = 'hostile-memories';

/** Fields, values, ids, aliases, memories and links; what the service refuses as a name is left out. */
export async function storeHostileData(server: TestServer): Promise<void> {
  const fieldNames = HOSTILE.map((text) => text.replaceAll('.', '·').slice(0, 200)).filter(
    (text) => !text.includes('\u0000') && text !== '__proto__',
  );
  const properties = Object.fromEntries([
    ...fieldNames.map((name) => [name, { type: 'keyword', ignore_above: 8000 }]),
    ['text', { type: 'semantic_text' }],
    ['kind', { type: 'keyword', ignore_above: 8000 }],
  ]);
  const created = await server.call('PUT', `/${HOSTILE_INDEX}`, { mappings: { properties } });
  if (created.status !== 200) throw new Error(created.text.slice(0, 1000));
  const lines = HOSTILE.flatMap((text, at) => {
    const id = text.length > 400 || text.includes('\u0000') ? String(at) : text;
    const fields = Object.fromEntries(fieldNames.slice(0, 4).map((name) => [name, text]));
    const source = {
      title: text,
      text: `boats ${text}`,
      kind: text,
      list: [text, text],
      object: { a: [text] },
    };
    return [JSON.stringify({ index: { _id: id } }), JSON.stringify({ ...source, ...fields })];
  });
  await bulk(server, `/${HOSTILE_INDEX}/_bulk?refresh=true`, lines);
  const brain = `/_graph/${HOSTILE_INDEX}`;
  await server.call('PUT', brain, { nodes_index: HOSTILE_INDEX });
  for (const [at, text] of HOSTILE.entries()) {
    const alias = encodeURIComponent(
      `alias-${text.replace(/[^a-z0-9;=]/gi, '').toLowerCase()}-${at}`,
    );
    await server.call('PUT', `/${HOSTILE_INDEX}/_alias/${alias.slice(0, 200)}`);
    await server.call('POST', `/_memory/${HOSTILE_NAMESPACE}`, {
      text: `boats ${text}`,
      metadata: { speaker: text, session: text, [text.slice(0, 100)]: text },
    });
    await server.call('POST', `${brain}/link`, {
      src: HOSTILE[at],
      dst: HOSTILE[(at + 1) % HOSTILE.length],
      type: text.slice(0, 100),
      evidence: { quote: text.slice(0, 300), source: text.slice(0, 100), field: 'text' },
    });
  }
}
