// Runs the tour of README.md, and the examples of the pages in docs/ that continue it: every `sh`
// block, with curl, MCP and the command line, against one server, and compares every response with
// the `json` block below it. Parts of a response that a page does not show are not compared.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

/** In this order; a page uses the data of the pages before it. */
const SECTIONS = [
  ['README.md', '## Five minutes'],
  ['docs/graph.md', '## By example'],
  ['docs/memory.md', '## By example'],
  ['docs/agents.md', '## By example'],
  ['docs/command-line.md', '## By example'],
] as const;

interface Step {
  readonly page: string;
  readonly commands: string;
  readonly answers: readonly unknown[];
}

/** Pairs of an `sh` block and the `json` block that follows. */
function stepsOf(page: string, heading: string): readonly Step[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8');
  const start = text.indexOf(heading);
  expect(start, `${page} has [${heading}]`).toBeGreaterThan(0);
  const section = text.slice(start, text.indexOf('\n## ', start + 1));
  const blocks = [...section.matchAll(/```(sh|json)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, kind, commands = ''], i) => {
    if (kind !== 'sh') return [];
    return [{ page, commands, answers: parseAnswers(blocks[i + 1]?.[2] ?? '') }];
  });
}

/** Parses a sequence of JSON values, each on its own lines. */
function parseAnswers(text: string): readonly unknown[] {
  const answers: unknown[] = [];
  let open = '';
  for (const line of text.trim().split('\n')) {
    open += line;
    try {
      answers.push(JSON.parse(open));
      open = '';
    } catch {
      // The value continues on the next line.
    }
  }
  expect(open, 'a block of answers ends within one').toBe('');
  return answers;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

const steps = SECTIONS.flatMap(([page, heading]) => stepsOf(page, heading));

test.each(SECTIONS)('%s has steps', (page) => {
  expect(steps.some((step) => step.page === page)).toBe(true);
});

test.each(
  steps.map((step, i) => [i + 1, step.page, step] as const),
)('step %i, of %s, is answered as it says', (_number, _page, step) => {
  const quarry = `quarry() { QUARRY_URL='${server.base}' '${process.execPath}' dist/cli/main.js "$@"; }\n`;
  const commands = (quarry + step.commands)
    .replaceAll('localhost:9200', server.base.slice('http://'.length))
    .replaceAll('curl ', 'curl -sS -w "\\n" ');
  const run = spawnSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', commands], {
    encoding: 'utf8',
    env: { ...process.env, BASH_ENV: '' },
  });
  expect(run.stderr).toBe('');
  const answers = run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  expect(answers.length).toBe(step.answers.length);
  for (const [i, answer] of step.answers.entries())
    expect(answers[i]).toMatchObject(answer as object);
});
