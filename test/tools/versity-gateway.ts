// A real S3 server for tests where Go is at hand: github.com/versity/versitygw over a folder, built
// once into the cache of the user.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { STUB_KEYS } from './s3-stub.ts';
import { freePort } from './server.ts';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const FOLDER = join(homedir(), '.cache', 'quarry-tests', 'versitygw-1.8.0');
const BUILD_MS = 500_000;
const START_MS = 20_000;

export const GATEWAY_REGION = 'eu-test-1';

export interface Gateway {
  readonly endpoint: string;
  /** The folder with a folder for each bucket. */
  readonly root: string;
  stop(): Promise<void>;
}

/** Why there is no gateway; undefined if there is one. */
export function gatewayMissing(): string | undefined {
  if (existsSync(join(FOLDER, 'versitygw'))) return undefined;
  if (spawnSync('go', ['version']).status !== 0) return 'Go is not installed';
  try {
    mkdirSync(FOLDER, { recursive: true });
    const env = { ...process.env, GOBIN: FOLDER };
    execFileSync('go', ['install', MODULE], { env, stdio: 'ignore', timeout: BUILD_MS });
    return undefined;
  } catch {
    return `[go install ${MODULE}] failed`;
  }
}

export async function startGateway(bucket: string): Promise<Gateway> {
  const root = mkdtempSync(join(tmpdir(), 'quarry-gateway-'));
  mkdirSync(join(root, bucket));
  const port = await freePort();
  const args = ['--port', `127.0.0.1:${port}`, '--region', GATEWAY_REGION, 'posix', root];
  const child = spawn(join(FOLDER, 'versitygw'), args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: STUB_KEYS.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: STUB_KEYS.AWS_SECRET_ACCESS_KEY,
    },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await answering(endpoint, child);
  return {
    endpoint,
    root,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function answering(endpoint: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_MS;
  while (child.exitCode === null && Date.now() < end) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error('the S3 server does not answer');
}
