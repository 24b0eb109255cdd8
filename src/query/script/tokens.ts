// The tokens of a script.

export interface ScriptToken {
  readonly type: 'number' | 'name' | 'sign' | 'text';
  /** The token as written; for a string literal, its content. */
  readonly text: string;
}

const NUMBER = '(0[xX][\\da-fA-F]+[lL]?|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?[dDfFlL]?|\\.\\d+)';
const NAME = '([A-Za-z_][\\w]*)';
const SIGN = '(>>>|<<|>>|<=|>=|==|!=|=|&&|\\|\\||[-+*/%<>!?:(),.;[\\]&|^~])';
const TEXT = `('(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*")`;
const TOKEN = new RegExp(`\\s*(?:${NUMBER}|${NAME}|${SIGN}|${TEXT}|(\\S))`, 'gy');

/** Calls `wrong` for characters that begin no token. */
export function tokensOf(source: string, wrong: (why: string) => Error): readonly ScriptToken[] {
  const tokens: ScriptToken[] = [];
  for (const match of source.trimEnd().matchAll(TOKEN)) {
    const [, number, name, sign, text, other] = match;
    if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (name !== undefined) tokens.push({ type: 'name', text: name });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: sign });
    else if (text !== undefined) tokens.push({ type: 'text', text: unquoted(text) });
    else throw wrong(`unexpected [${other}]`);
  }
  return tokens;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, escaped: string) => {
    if (escaped === 'n') return '\n';
    return escaped === 't' ? '\t' : escaped;
  });
}
