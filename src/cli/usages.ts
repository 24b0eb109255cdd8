// Usage texts of the commands that are not verbs, for help and completion.

export const USAGES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve [flags]   run the service until it is told to stop'],
  config: [
    'config [--json] [--markdown] [flags]   the configuration that serve would have, and where each value comes from',
  ],
  keys: [
    'keys create --name NAME [--indices LIST] [--privileges read,write,manage] [--expires 30d] [--json]',
    'keys list | revoke ID   keys of a data folder (--data-dir, --config), also while it is served',
  ],
  backup: [
    'backup --to FOLDER [--name NAME] [--indices LIST] [--url URL [--api-key KEY] | --data-dir DIR] [--json]',
    '               a snapshot of a running server, or of a stopped one by its data folder, into a folder',
  ],
  restore: [
    'restore --from FOLDER [--name NAME] [--indices LIST] [--rename-pattern P --rename-replacement R]',
    '               [--url URL [--api-key KEY] | --data-dir DIR] [--json]   a snapshot back into a server',
  ],
  check: [
    'check DIR [--json] [--salvage OUT]   verify a data folder; write what can be read of a damaged one',
  ],
  autoindex: [
    'autoindex PATH [--url URL] [--api-key KEY] [--prefix P] [--brain B] [--dry-run] [--watch] [--yes] [--json]',
    '               [--remove-all] [--state FOLDER]   a folder of files into indexes of a running server; again writes only what changed',
  ],
  map: [
    'map [--url URL] [--api-key KEY] [--json]   what autoindex has written, with queries that can be sent',
  ],
  mcp: [
    'mcp [--url URL] [--api-key KEY] [--namespace NS] [--index NAMES] [--brain NAME] [--read-only] [--search-fetch]',
    '               a server of the Model Context Protocol on stdin and stdout, pinned to what is named',
  ],
};
