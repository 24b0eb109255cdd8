// Follows "Ten minutes" of docs/your-files.md: runs every `sh` block in its own folder, against a
// new server, and compares its output with the block below it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const page = readFileSync(resolve('docs/your-files.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'quarry-own-files-'));
let server: TestServer;

interface Step {
  readonly commands: string;
  readonly kind: string;
  readonly expected: string;
}

function steps(): readonly Step[] {
  const start = page.indexOf('## Ten minutes');
  const section = page.slice(start, page.indexOf('\n## ', start + 1));
  const blocks = [...section.matchAll(/```(sh|json|text)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, kind, commands = ''], i) => {
    const [, answer = '', expected = ''] = blocks[i + 1] ?? [];
    if (kind !== 'sh') return [];
    return [
      { commands, kind: answer === 'sh' ? '' : answer, expected: answer === 'sh' ? '' : expected },
    ];
  });
}

/** Parses a sequence of JSON values. */
function valuesOf(text: string): readonly object[] {
  const values: object[] = [];
  let open = '';
  for (const line of text.trim().split('\n')) {
    open += line;
    try {
      values.push(JSON.parse(open));
      open = '';
    } catch {
      // The value continues on the next line.
    }
  }
  expect(open).toBe('');
  return values;
}

/** The page shows only the best hit. */
function withFirstHit(answer: unknown): object {
  const { hits, ...rest } = answer as { hits?: { hits?: readonly object[] } };
  return hits?.hits === undefined || hits.hits.length === 0
    ? rest
    : { ...rest, hits: { ...hits, hits: hits.hits.slice(0, 1) } };
}

/** Expects each line in this order; `…` matches anything. */
function expectLines(output: string, expected: string): void {
  const lines = output.split('\n');
  let from = 0;
  for (const line of expected.trimEnd().split('\n')) {
    const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const form = new RegExp(`^${parts.join('.*')}$`);
    const at = lines.findIndex((one, i) => i >= from && form.test(one));
    expect(at, `[${line}] in:\n${output}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('there are steps', () => {
  expect(steps().length).toBeGreaterThanOrEqual(6);
});

test.each(steps().map((step, i) => [i + 1, step] as const))('step %i', (_, step) => {
  const commands = step.commands
    .replaceAll('localhost:9200', server.base.slice('http://'.length))
    .replaceAll('curl ', 'curl -sS -w "\\n" ');
  const quarry = `quarry() { '${process.execPath}' '${resolve('dist/cli/main.js')}' "$@"; }\n`;
  const run = spawnSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', quarry + commands], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      BASH_ENV: '',
      QUARRY_URL: server.base,
      XDG_STATE_HOME: join(folder, 'state'),
    },
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  if (step.kind === 'text') expectLines(run.stdout, step.expected);
  if (step.kind !== 'json') return;
  const answers = valuesOf(run.stdout);
  for (const [i, expected] of valuesOf(step.expected).entries()) {
    expect(withFirstHit(answers[i])).toMatchObject(expected);
  }
});
