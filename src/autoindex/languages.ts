// Detects the language of source code: by the first line, or by the file extension if the text
// looks like code.

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  c: 'c',
  h: 'c',
  cc: 'c++',
  cpp: 'c++',
  hpp: 'c++',
  java: 'java',
  kt: 'kotlin',
  go: 'go',
  rs: 'rust',
  rb: 'ruby',
  php: 'php',
  cs: 'c#',
  swift: 'swift',
  scala: 'scala',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  css: 'css',
  scss: 'css',
  lua: 'lua',
  pl: 'perl',
  r: 'r',
};

const SHEBANG = /^#!.*\b(sh|bash|zsh|python\d?|node|perl|ruby|php)\b/;
const SHEBANG_LANGUAGE: Readonly<Record<string, string>> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  node: 'javascript',
};
const CODE_SIGNS =
  /^[^\S\n]*(?:import\s[\w{*"']|from\s+\S+\s+import\s|#include\s*[<"]|package\s+\w|export\s+(?:const|function|class|default)|(?:pub\s+)?fn\s+\w|func\s+\w|def\s+\w+\s*\(|class\s+\w+.*[:{]\s*$|(?:const|let|var)\s+\w+\s*=|function\s+\w+\s*\(|(?:public|private|static)\s+\w+|return\b.*;\s*$|CREATE\s+TABLE\s|SELECT\s.+\sFROM\s)/m;

/** Undefined for text that is no code. */
export function languageOf(path: string, text: string): string | undefined {
  const shebang = SHEBANG.exec(text.slice(0, 200))?.[1];
  if (shebang !== undefined) return SHEBANG_LANGUAGE[shebang] ?? shebang.replace(/\d$/, '');
  const named = LANGUAGES[/\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (named !== undefined && (CODE_SIGNS.test(text) || /[{};]\s*$/m.test(text))) return named;
  return undefined;
}
