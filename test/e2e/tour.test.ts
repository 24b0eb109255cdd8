// Runs the README's tour as it stands there: every `sh` block against a fresh server, by curl, MCP and the command line, every answer
// compared with the `json` block below it. What the README does not show of an answer is not compared.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

interface Step {
  readonly commands: string;
  readonly answers: readonly unknown[];
}

/** Pairs of an `sh` block with curl in it and the `json` block that follows. */
function steps(): readonly Step[] {
  const start = readme.indexOf('## Five minutes');
  const section = readme.slice(start, readme.indexOf('\n## ', start + 1));
  const blocks = [...section.matchAll(/```(sh|json)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, kind, commands = ''], i) => {
    if (kind !== 'sh') return [];
    return [{ commands, answers: parseAnswers(blocks[i + 1]?.[2] ?? '') }];
  });
}

/** One JSON value after the other, each on lines of its own. */
function parseAnswers(text: string): readonly unknown[] {
  const answers: unknown[] = [];
  let open = '';
  for (const line of text.trim().split('\n')) {
    open += line;
    try {
      answers.push(JSON.parse(open));
      open = '';
    } catch {
      // It goes on in the next line.
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

test('the tour has steps', () => {
  expect(steps().length).toBeGreaterThanOrEqual(6);
});

test.each(steps().map((step, i) => [i + 1, step] as const))('step %i', (_number, step) => {
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
