// `quarry open`: shows the console of a running service in a browser.
import { spawn } from 'node:child_process';
import { argumentsOf } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

export const OPEN: Verb = {
  name: 'open',
  usage: [''],
  about:
    'Opens the console of the service in a browser, or prints its address where there is none. A key is typed there.',
  flags: {},
  examples: ['open', 'open --url https://search.example.com'],
  run: open,
};

async function open(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const client = context.client();
  // Rejects with the reason if no service answers or its console is switched off.
  for await (const _ of await client.lines('/v1/console'));
  const url = `${client.url}/v1/console`;
  const opener = openerOf(process.platform, context.environment);
  const isOpened = opener !== undefined && (await starts([...opener, url]));
  if (context.json) context.print(JSON.stringify({ url, opened: isOpened }));
  else context.print(isOpened ? `opened ${url}` : `open ${url} in a browser`);
  return 0;
}

/** The command of the platform that opens an address; undefined without a screen. */
export function openerOf(
  platform: NodeJS.Platform,
  environment: VerbContext['environment'],
): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasScreen = Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  return hasScreen ? ['xdg-open'] : undefined;
}

/** False if there is no such program. It is given the address as it is, without a shell. */
function starts([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
