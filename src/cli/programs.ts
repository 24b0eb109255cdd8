// The programs that start servers of the Model Context Protocol: where their files are, and under
// which member the servers stand.
import { join } from 'node:path';

export interface Program {
  readonly name: string;
  readonly title: string;
  /** The member of the file that holds the servers. */
  readonly member: string;
  /** The file of one project, relative to its folder; undefined: the program has none. */
  readonly project?: string;
  /** The file of a user; undefined: none that may be written. */
  readonly user?: (place: UserPlace) => string;
}

/** Where programs keep the files of a user. */
export interface UserPlace {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The value of APPDATA, on Windows. */
  readonly appData: string | undefined;
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    member: 'mcpServers',
    project: '.mcp.json',
    user: ({ home }) => join(home, '.claude.json'),
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    member: 'mcpServers',
    user: (place) => join(settingsFolder(place), 'Claude', 'claude_desktop_config.json'),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    member: 'mcpServers',
    project: join('.cursor', 'mcp.json'),
    user: ({ home }) => join(home, '.cursor', 'mcp.json'),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    member: 'servers',
    project: join('.vscode', 'mcp.json'),
    user: (place) => join(settingsFolder(place), 'Code', 'User', 'mcp.json'),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    member: 'mcpServers',
    user: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    member: 'mcpServers',
    project: join('.gemini', 'settings.json'),
    user: ({ home }) => join(home, '.gemini', 'settings.json'),
  },
  {
    name: 'zed',
    title: 'Zed',
    member: 'context_servers',
    project: join('.zed', 'settings.json'),
    user: ({ home }) => join(home, '.config', 'zed', 'settings.json'),
  },
];

function settingsFolder({ home, platform, appData }: UserPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return appData ?? join(home, 'AppData', 'Roaming');
  return join(home, '.config');
}
