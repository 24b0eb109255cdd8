// What `quarry --help` prints: commands, short flags and one line per configuration key.
import { SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS, environmentName, specOf } from '../config/schema.js';
import { VERBS } from './verbs.js';

export function helpText(): string {
  const shorts = Object.entries(SHORT_FLAGS).map(
    ([flag, key]) => `  --${flag.padEnd(12)} the same as --${key}`,
  );
  const keys = CONFIG_KEYS.map((key) => {
    const { default: value, about, unit } = specOf(key);
    const plain = value === '' ? 'none' : `${value}`;
    const shown = unit === undefined ? plain : `${plain} ${unit}`;
    return `  --${key.padEnd(30)} ${about} (${shown})`;
  });
  return [
    'Usage: quarry serve [flags]   run the service until it is told to stop',
    '       quarry config [--json] [flags]   the configuration that serve would have, and where each value comes from',
    '       quarry keys create --name NAME [--indices LIST] [--privileges read,write,manage] [--expires 30d] [--json]',
    '       quarry keys list | revoke ID   keys of a data folder (--data-dir, --config), also while it is served',
    '       quarry backup --to FOLDER [--name NAME] [--indices LIST] [--url URL | --data-dir DIR] [--json]',
    '       quarry restore --from FOLDER [--name NAME] [--indices LIST] [--rename-pattern P --rename-replacement R]',
    '                      [--url URL | --data-dir DIR] [--json]',
    '                      a snapshot into a folder of a running server, or of a stopped one by its data folder, and back',
    '       quarry check DIR [--json] [--salvage OUT]   verify a data folder; write what can be read of a damaged one',
    '       quarry autoindex PATH [--url URL] [--api-key KEY] [--prefix P] [--brain B] [--dry-run] [--watch] [--yes] [--json]',
    '                      [--state FOLDER]   a folder of files into indexes of a running server; again writes only what changed',
    '       quarry map [--url URL] [--api-key KEY] [--json]   what autoindex has written, with queries that can be sent',
    '       quarry mcp [--url URL] [--api-key KEY] [--namespace NS] [--index NAMES] [--brain NAME] [--read-only] [--search-fetch]',
    '                      a server of the Model Context Protocol on stdin and stdout, pinned to what is named',
    '       quarry eval FILE [--url URL] [--k N]   how well memories are recalled: a file of questions and ids',
    ...VERBS.map(({ name, usage }) => `       quarry ${name} ${usage}`),
    '       quarry COMMAND --help   of search and the commands after it: flags and examples',
    '       quarry --help | --version',
    '',
    'Short flags:',
    ...shorts,
    '  --config FILE  read further keys from a YAML file',
    '',
    `Configuration keys, also as environment variables (${environmentName('server.port')}) and in the file:`,
    ...keys,
    '',
    'Flags win over the environment, the environment over the file.',
    '',
  ].join('\n');
}
