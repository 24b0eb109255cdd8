// Refuses identifiers and file names with words of our own, where a standard word of the field
// exists. The left column of the table below stood in earlier versions of the code.
import type { SourceFile } from './source-files.ts';

/** Words, or sequences of words, of an identifier, and what to say instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['anew', 'again'],
  ['asked', 'requested'],
  ['asker', 'client'],
  ['beside', 'next to, in addition'],
  ['census', 'namespace stats'],
  ['departures', 'connections'],
  ['doorkeeper', 'cache admission'],
  ['hit texts', 'hits json'],
  ['in turns', 'cooperatively, interleaved'],
  ['kept answer', 'shard result cache'],
  ['kept settings', 'accepted noop settings'],
  ['known searches', 'prepared searches'],
  ['known targets', 'prepared targets'],
  ['lasting', 'search context'],
  ['let go', 'release'],
  ['lone term', 'single term'],
  ['long way', 'stages'],
  ['nearness', 'similarity'],
  ['neighbour', 'nearest vector, neighbor of a graph node'],
  ['neighbours', 'nearest vectors, neighbors of a graph node'],
  ['nobody', 'unset, none'],
  ['phased', 'stages'],
  ['reader backend', 'read-only backend'],
  ['searched before', 'cross-shard threshold'],
  ['short way', 'stages'],
  ['soon', 'maybe promise'],
  ['stretch', 'time slice, range'],
  ['stretches', 'time slices, ranges'],
  ['tallies', 'counts'],
  ['tally', 'counts'],
  ['text page', 'rendered page'],
  ['told', 'reported'],
  ['unasked', 'not requested'],
]);

/** Names that are no names of types, because they lack a noun. */
const TYPES_WITHOUT_NOUN = new Set(['Elsewhere', 'Found', 'Known', 'Shown', 'Visit']);

/** A member of Node's sockets, and two of the REST API. */
const ALLOWED = new Set(['destroySoon', 'hops_asked', 'neighbours']);

/** "path:line: [name] …" for every refused identifier, and "path: …" for every file name. */
export function wordViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const file = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
    const named = objectionTo(file);
    const found = named === undefined ? [] : [`${path}: ${named}`];
    for (const [name, line] of identifiersOf(text)) {
      const objection = objectionTo(name);
      if (objection !== undefined) found.push(`${path}:${line}: ${objection}`);
    }
    return found;
  });
}

const objections = new Map<string, string | undefined>();

/** Undefined: the name is good. */
function objectionTo(name: string): string | undefined {
  if (!objections.has(name)) objections.set(name, judge(name));
  return objections.get(name);
}

function judge(name: string): string | undefined {
  if (ALLOWED.has(name)) return undefined;
  if (TYPES_WITHOUT_NOUN.has(name)) return `[${name}] is no name of a type, add a noun`;
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const spaced = ` ${words.join(' ').toLowerCase()} `;
  for (const [word, instead] of REFUSED) {
    if (spaced.includes(` ${word} `)) return `[${name}] says [${word}], say [${instead}]`;
  }
  return undefined;
}

/** Comments, literals, identifiers, numbers, then single characters. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^()\\ ]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|(?<=[(,=:[!&|?{};]\s*|\breturn )\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[A-Za-z_$][\w$]*|\d[\w.']*|[\s\S]/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

/**
 * The identifiers of a TypeScript or C++ file with their lines, keywords included. Comments and
 * literals are skipped, except the expressions in template literals.
 */
function* identifiersOf(text: string): Generator<readonly [name: string, line: number]> {
  /** The open braces; true: its end continues a template literal. */
  const braces: boolean[] = [];
  let line = 1;
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0] ?? text.slice(at);
    at += token.length;
    return token;
  };
  while (at < text.length) {
    let token = take(TOKEN);
    if (/^[A-Za-z_$]/.test(token) && !token.endsWith('"')) yield [token, line];
    if (token === '{') braces.push(false);
    if (token === '`' || (token === '}' && braces.pop() === true)) {
      token += take(TEMPLATE_TEXT);
      if (token.endsWith('${')) braces.push(true);
    }
    for (let i = token.indexOf('\n'); i >= 0; i = token.indexOf('\n', i + 1)) line += 1;
  }
}
