// Definitions of the commands that run a service, open a data folder or speak a protocol. Their
// code is loaded when they are called, because most commands only send a request.
import type { Verb } from './verb.js';

const SERVER_OR_FOLDER = {
  name: 'of the snapshot',
  indices: 'names and patterns between commas (all)',
  'data-dir': 'data folder of a service that is stopped',
} as const;

export const SERVE: Verb = {
  name: 'serve',
  usage: ['[flags]'],
  about: 'Runs the service until a signal stops it.',
  flags: {},
  remote: false,
  configured: true,
  json: false,
  examples: ['serve', 'serve --port 9300 --data-dir /var/lib/quarry', 'serve --config quarry.yml'],
  run: async (context) => (await import('./serve.js')).serve(context),
};

export const CONFIG: Verb = {
  name: 'config',
  usage: ['[flags]'],
  about: 'Prints the configuration that serve would have, and where each value comes from.',
  flags: {},
  switches: { markdown: 'the table of all keys, as in docs/configuration.md' },
  remote: false,
  configured: true,
  examples: ['config --port 9300', 'config --json --config quarry.yml'],
  run: async (context) => (await import('./config.js')).printConfig(context),
};

export const KEYS: Verb = {
  name: 'keys',
  usage: [
    'create --name NAME [--indices LIST] [--privileges read,write,manage] [--expires 30d] [--quota LIST]',
    'list',
    'revoke ID',
  ],
  about: 'Makes, lists and revokes keys of a data folder, also while it is served.',
  flags: {
    name: 'whose the key is',
    indices: 'names and patterns of indexes and aliases between commas (*)',
    privileges: 'read, write and manage between commas (all three)',
    expires: 'a time from now such as 90m, 12h or 30d (never)',
    quota: 'of memories: memories=N, bytes=N, stores_per_minute=N between commas (none)',
    id: 'the key to revoke',
  },
  remote: false,
  configured: true,
  examples: [
    'keys create --name shop --indices "shop-*" --privileges read',
    'keys list --data-dir /var/lib/quarry',
    'keys revoke zWx1',
  ],
  run: async (context) => (await import('./keys.js')).keys(context),
};

export const MODELS: Verb = {
  name: 'models',
  usage: ['add DIR [--name NAME] [--max-tokens N]', 'list', 'remove NAME'],
  about:
    'Adds, lists and removes the sentence models of a data folder, also while it is served. A folder holds an ONNX model like all-MiniLM-L6-v2 and its vocabulary; onnxruntime-node must be installed.',
  flags: {
    name: 'what it is called (the name of its folder)',
    'max-tokens': 'of a text that the model sees (what its files say, or 256)',
  },
  remote: false,
  configured: true,
  examples: [
    'models add ./all-MiniLM-L6-v2 --name minilm',
    'models list --data-dir /var/lib/quarry',
    'models remove minilm',
  ],
  run: async (context) => (await import('./models.js')).models(context),
};

export const BACKUP: Verb = {
  name: 'backup',
  usage: [
    '--to FOLDER|ADDRESS [--region NAME] [--name NAME] [--indices LIST] [--url URL | --data-dir DIR]',
  ],
  about:
    'Writes a snapshot of a running service, or of a stopped one by its data folder, into a folder or into S3.',
  flags: {
    to: 'folder of snapshots, or https://ENDPOINT/BUCKET/PATH of S3; what it holds already is not copied again',
    region: 'region of the bucket, us-east-1 by default',
    ...SERVER_OR_FOLDER,
  },
  examples: [
    'backup --to /backups/quarry',
    'backup --to /backups/quarry --data-dir ./data',
    'backup --to https://s3.eu-central-1.amazonaws.com/backups/quarry --region eu-central-1',
  ],
  run: async (context) => (await import('./backup.js')).backup(context),
};

export const RESTORE: Verb = {
  name: 'restore',
  usage: [
    '--from FOLDER|ADDRESS [--region NAME] [--name NAME] [--indices LIST] [--rename-pattern P --rename-replacement R] [--url URL | --data-dir DIR]',
    '--from FOLDER|ADDRESS --to-time TIME|latest --data-dir DIR [--region NAME] [--history ID]',
  ],
  about:
    'Brings a snapshot, the latest unless one is named, back into a service; or a data folder as it was at a moment, from the log that its service shipped (snapshot.ship_log).',
  flags: {
    from: 'folder of snapshots, or https://ENDPOINT/BUCKET/PATH of S3',
    region: 'region of the bucket, us-east-1 by default',
    ...SERVER_OR_FOLDER,
    'rename-pattern': 'regular expression for names of indexes',
    'rename-replacement': 'what a match becomes; $1 for its first group',
    'to-time':
      'moment to bring back, such as 2026-11-27T20:15:00Z, or latest; the folder must be empty',
    history: 'which one, where the place holds the logs of several data folders',
  },
  examples: [
    'restore --from /backups/quarry',
    'restore --from /backups/log --to-time 2026-11-27T20:15:00Z --data-dir ./data',
    "restore --from /backups/quarry --indices books --rename-pattern '(.+)' --rename-replacement 'old-$1'",
  ],
  run: async (context) => (await import('./restore.js')).restore(context),
};

export const STANDBY: Verb = {
  name: 'standby',
  usage: [
    '--from FOLDER|ADDRESS --data-dir DIR [--region NAME] [--history ID] [--port N] [--interval S]',
    '--from FOLDER|ADDRESS --data-dir DIR --promote',
  ],
  about:
    'Follows the log that another service ships (snapshot.ship_log) and answers reads from its newest moment, until a signal stops it. Then --promote makes a data folder of it to be served.',
  flags: {
    from: 'folder that the log is shipped to, or https://ENDPOINT/BUCKET/PATH of S3',
    'data-dir': 'folder of the standby; keys.json and models in it are used',
    region: 'region of the bucket, us-east-1 by default',
    history: 'which one, where the place holds the logs of several data folders',
    port: 'port to answer on (9200)',
    interval: 'seconds between two looks for a newer moment (60)',
  },
  switches: { promote: 'make DIR/data of the newest moment, and end' },
  remote: false,
  json: false,
  examples: [
    'standby --from /backups/log --data-dir /var/lib/quarry-standby --port 9201',
    'standby --from /backups/log --data-dir /var/lib/quarry-standby --promote',
  ],
  run: async (context) => (await import('./standby.js')).standby(context),
};

export const MOVE: Verb = {
  name: 'move',
  usage: ['--to URL [--prefix P] [--index NAMES] [--url URL | --data-dir DIR]'],
  about:
    'Copies indexes, memories, links, templates and aliases of a service into an Elasticsearch or OpenSearch, as cluster mode reads them there, and compares every document. A run that was ended goes on; a later one brings over what changed.',
  flags: {
    to: 'addresses of the cluster between commas; its credentials are those of cluster.* in the environment',
    prefix: 'of the names of indexes in the cluster (cluster.index_prefix)',
    index: 'names and patterns between commas (all, with memories and links)',
    'data-dir': 'data folder of a service that is stopped',
    config:
      'a YAML file with keys of the configuration that the service in front of the cluster will have',
    state: 'folder of the journals of moves (~/.local/state/quarry/move)',
  },
  switches: {
    'dry-run': 'report what of settings and mappings would be left out, copy nothing',
  },
  examples: [
    'move --to https://node-1:9200 --prefix quarry-',
    'move --to https://node-1:9200 --data-dir ./data --dry-run',
  ],
  run: async (context) => (await import('./move.js')).move(context),
};

export const CHECK: Verb = {
  name: 'check',
  usage: ['DIR [--salvage OUT]'],
  about: 'Verifies a data folder, and writes what can still be read of a damaged one.',
  flags: { salvage: 'folder to write the documents of a damaged one to' },
  remote: false,
  examples: ['check ./data', 'check ./data --salvage ./rescued'],
  run: async (context) => (await import('./check.js')).checkFolder(context),
};

export const AUTOINDEX: Verb = {
  name: 'autoindex',
  usage: [
    'PATH [--prefix P] [--brain B] [--inference-id ID] [--dry-run] [--watch] [--yes] [--remove-all] [--state FOLDER]',
  ],
  about:
    'Writes a folder of files into indexes of a running service; a second run writes what changed.',
  flags: {
    prefix: 'of the names of its indexes (files-)',
    brain: 'links between the documents go into this brain',
    'inference-id':
      'what embeds the texts of indexes that it makes, such as local:NAME (svc-lex-1)',
    state: 'folder that remembers what was written',
  },
  switches: {
    'dry-run': 'says what would be written, and writes nothing',
    watch: 'stays, and follows changes until a signal stops it',
    yes: 'does not wait for a confirmation',
    'remove-all': 'also removes what belonged to files when all of them are gone',
  },
  examples: ['autoindex ~/notes', 'autoindex ~/notes --watch --brain notes'],
  run: async (context) => (await import('./autoindex.js')).runAutoindex(context),
};

export const MAP: Verb = {
  name: 'map',
  usage: [''],
  about: 'Prints what autoindex has written, with queries that can be sent.',
  flags: {},
  examples: ['map', 'map --json'],
  run: async (context) => (await import('./map.js')).printMap(context),
};

export const INIT: Verb = {
  name: 'init',
  usage: [
    '[PROGRAM] [--user] [--namespace NS] [--index NAMES] [--brain NAME] [--read-only] [--dry-run]',
  ],
  about:
    'Writes the entry of quarry mcp into the file of a program; without one, lists the programs and their files.',
  flags: {
    url: 'address of the service (QUARRY_URL, http://127.0.0.1:9200)',
    name: 'of the entry (quarry)',
    namespace: 'the one namespace of memories that the program may use',
    index: 'the indexes that it may search, between commas',
    brain: 'the one brain that it may use',
  },
  switches: {
    user: 'the file of the user instead of that of the project in this folder',
    'read-only': 'only tools that change nothing',
    replace: 'an entry of the same name that differs is replaced',
    'dry-run': 'says what would be written, and writes nothing',
  },
  remote: false,
  examples: ['init', 'init claude --namespace ann', 'init vscode --user --dry-run'],
  run: async (context) => (await import('./init.js')).init(context),
};

export const MCP: Verb = {
  name: 'mcp',
  usage: ['[--namespace NS] [--index NAMES] [--brain NAME] [--read-only] [--search-fetch]'],
  about: 'Serves the Model Context Protocol on stdin and stdout, pinned to what is named.',
  flags: {
    namespace: 'the one namespace of memories that it may use',
    index: 'the indexes that it may search, between commas',
    brain: 'the one brain that it may use',
  },
  switches: {
    'read-only': 'offers nothing that writes',
    'search-fetch': 'offers the tools search and fetch alone',
  },
  json: false,
  examples: ['mcp --namespace ann', 'mcp --index "notes-*" --read-only'],
  run: async (context) => (await import('./mcp.js')).mcp(context),
};
