// Namespaces and keys of LangGraph as names of namespaces and ids of memories, and back.
//
// name    prefix *( "." label ), at most 200 characters of [a-z0-9_.-]
// label   a-z 0-9 and - stand for themselves, "__" is _, "_" and two hex digits is a byte of UTF-8;
//         "_z" is the empty label. The dash of a label that ends in "-edges" is "_2d", because the
//         service keeps such names for links.
// id      the key itself, or "~" and the base64url of its UTF-8 where the key begins with "_" or
//         "~", is empty, "." or "..", or has a NUL.
//
// The client for Python has the same rules; clients/cases/langgraph.json holds both to them.

const MAX_NAME = 200;
const EDGES = /-edges$/;
const EMPTY = '_z';
const LONE_SURROGATE = /\p{Cs}/u;

export function namespaceName(prefix: string, labels: readonly string[]): string {
  const name = [prefix, ...labels.map(encodedLabel)].join('.');
  if (name.length <= MAX_NAME) return name;
  throw new RangeError(
    `namespace [${labels.join(', ')}] takes ${name.length} characters as a name, at most ${MAX_NAME} are allowed; use shorter labels`,
  );
}

/** Undefined: no store with this prefix made the name. */
export function labelsOf(prefix: string, name: string): readonly string[] | undefined {
  const [first, ...rest] = name.split('.');
  if (first !== prefix || rest.length === 0) return undefined;
  const labels: string[] = [];
  for (const text of rest) {
    const label = decodedLabel(text);
    if (label === undefined) return undefined;
    labels.push(label);
  }
  return namespaceName(prefix, labels) === name ? labels : undefined;
}

function encodedLabel(label: string): string {
  if (LONE_SURROGATE.test(label)) {
    throw new RangeError(`namespace label [${label}] has half of a surrogate pair`);
  }
  if (label === '') return EMPTY;
  const text = label.replace(/[^a-z0-9-]/gu, (char) => {
    if (char === '_') return '__';
    return [...new TextEncoder().encode(char)].map((byte) => `_${hex(byte)}`).join('');
  });
  return text.replace(EDGES, '_2dedges');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function decodedLabel(text: string): string | undefined {
  if (text === EMPTY) return '';
  if (text === '') return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char !== '_') {
      bytes.push(char.charCodeAt(0));
      continue;
    }
    const next = text.charAt(at + 1);
    if (next === '_') {
      bytes.push(0x5f);
      at += 1;
      continue;
    }
    const code = text.slice(at + 1, at + 3);
    if (!/^[0-9a-f]{2}$/.test(code)) return undefined;
    bytes.push(Number.parseInt(code, 16));
    at += 2;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
}

export function memoryId(key: string): string {
  if (LONE_SURROGATE.test(key)) throw new RangeError(`key [${key}] has half of a surrogate pair`);
  const isPlain = !/^[_~]|^\.{0,2}$/.test(key) && !key.includes('\0');
  return isPlain ? key : `~${base64url(new TextEncoder().encode(key))}`;
}

export function keyOf(id: string): string {
  if (!id.startsWith('~')) return id;
  const text = id.slice(1).replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
