// `quarry init`: writes the entry of this MCP server into the file of a program. What the file holds
// otherwise stays; an entry of the same name that differs is only replaced on request, and a file
// that is not plain JSON is not touched.
import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseExact } from '../base/exact-json.js';
import { PACKAGE_FOLDER } from '../base/package.js';
import { didYouMean } from '../base/similar-names.js';
import { ConfigError } from '../config/load.js';
import { urlOf } from './client.js';
import { PROGRAMS, type Program } from './programs.js';
import { table } from './reading.js';
import { printable } from './terminal.js';
import type { VerbContext } from './verb.js';

const MAIN = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');
const DEFAULT_NAME = 'quarry';

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [member: string]: Json;
}

/** The entry of a program for a server that it starts. */
interface Entry extends JsonObject {
  readonly command: string;
  readonly args: readonly string[];
}

export async function init(context: VerbContext): Promise<number> {
  const [given, ...more] = context.rest;
  if (more[0] !== undefined) throw new ConfigError(`[${more[0]}] is one program too many`);
  if (given === undefined) return listPrograms(context);
  const program = programOf(given);
  const file = fileOf(program, context);
  const name = context.values.get('name') ?? DEFAULT_NAME;
  if (printable(name) !== name || name.trim() === '') {
    throw new ConfigError(`--name must be a name that can be printed, not [${printable(name)}]`);
  }
  const entry = entryOf(context);
  const before = await readSettings(file, { [program.member]: { [name]: entry } });
  const plan = planOf(before, program, name, entry, context.switches.has('replace'), file);
  if (plan.change !== 'unchanged' && !context.switches.has('dry-run')) {
    await replaceFile(file, before.text, plan.text);
  }
  report(context, program, { file, name, entry, change: plan.change });
  return 0;
}

function programOf(given: string): Program {
  const program = PROGRAMS.find(({ name }) => name === given);
  if (program !== undefined) return program;
  const names = PROGRAMS.map(({ name }) => name);
  const hint = didYouMean(given, names);
  throw new ConfigError(
    `no program [${printable(given)}]${hint === '' ? `, there are ${names.join(', ')}` : hint}`,
  );
}

/** The file of the project in this folder, or of the user. */
function fileOf(program: Program, { switches, environment }: VerbContext): string {
  const isUser = switches.has('user') || program.project === undefined;
  if (!isUser && program.project !== undefined) return resolve(program.project);
  return program.user?.(userPlace(environment)) ?? resolve(program.project ?? '');
}

function userPlace(environment: VerbContext['environment']) {
  return {
    home: environment['HOME'] || homedir(),
    platform: process.platform,
    appData: environment['APPDATA'],
  };
}

/** No key is written: the program hands its environment on to the server. */
function entryOf({ values, switches, environment }: VerbContext): Entry {
  const pins = ['namespace', 'index', 'brain'].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const readOnly = switches.has('read-only') ? ['--read-only'] : [];
  const args = [MAIN, 'mcp', '--url', urlOf(values, environment), ...pins, ...readOnly];
  return { command: process.execPath, args };
}

interface Settings {
  /** Undefined: there is no file. */
  readonly text: string | undefined;
  readonly value: JsonObject;
}

async function readSettings(file: string, wanted: JsonObject): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: undefined, value: {} };
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
  const value = text.trim() === '' ? {} : parsed(text);
  if (isObject(value) && isExact(text)) return { text, value };
  throw new Error(
    `${file} is not plain JSON (it may have comments, or numbers of more than 15 digits) and stays as it is; add by hand: ${JSON.stringify(wanted)}`,
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as Json;
  } catch {
    return undefined;
  }
}

/** False if numbers would not be printed as they are. */
function isExact(text: string): boolean {
  return !hasBigInt(parseExact(text.replace(/^\ufeff/, '').trim() || '{}'));
}

function hasBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigInt);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Plan {
  readonly change: 'added' | 'replaced' | 'unchanged';
  readonly text: string;
}

function planOf(
  { text, value }: Settings,
  { member }: Program,
  name: string,
  entry: Entry,
  replace: boolean,
  file: string,
): Plan {
  const servers = value[member] ?? {};
  if (!isObject(servers)) {
    throw new Error(`[${member}] in ${file} is no object, so that no server can be added`);
  }
  const there = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (JSON.stringify(there) === JSON.stringify(entry)) {
    return { change: 'unchanged', text: text ?? '' };
  }
  if (there !== undefined && !replace) {
    throw new Error(
      `${file} has another server [${name}]: ${JSON.stringify(there)}; give --replace, or another --name`,
    );
  }
  const after = { ...value, [member]: { ...servers, [name]: entry } };
  return { change: there === undefined ? 'added' : 'replaced', text: printed(after, text) };
}

/** JSON with the indentation, the line ends and the end of the text before. */
function printed(value: JsonObject, before: string | undefined): string {
  const indent = /^[{[]\r?\n([ \t]+)/.exec(before?.trimStart() ?? '')?.[1] ?? '  ';
  const end = before === undefined || before === '' || before.endsWith('\n') ? '\n' : '';
  const text = `${JSON.stringify(value, undefined, indent)}${end}`;
  return before?.includes('\r\n') === true ? text.replaceAll('\n', '\r\n') : text;
}

/**
 * Replaces the file by a rename, so that it is never half written. A symbolic link stays one, and
 * so do the rights of the file. Throws if the file has changed since it was read.
 */
async function replaceFile(file: string, before: string | undefined, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const target = before === undefined ? file : await realpath(file);
  const mode = before === undefined ? 0o644 : (await stat(target)).mode & 0o777;
  if (before !== undefined) {
    await access(target, constants.W_OK);
    if ((await readFile(target, 'utf8')) !== before) {
      throw new Error(`${file} has changed meanwhile, try again`);
    }
  }
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface Written {
  readonly file: string;
  readonly name: string;
  readonly entry: Entry;
  readonly change: Plan['change'];
}

function report(context: VerbContext, { title, member }: Program, written: Written): void {
  const { file, name, entry, change } = written;
  const dryRun = context.switches.has('dry-run');
  if (context.json) {
    context.print(JSON.stringify({ file, name, change, dry_run: dryRun, entry }));
    return;
  }
  if (change === 'unchanged') {
    context.print(`${file} has [${member}.${name}] already`);
    return;
  }
  const verb = change === 'added' ? 'added to' : 'replaced in';
  const done = dryRun ? `would be ${verb}` : verb;
  context.print(`[${member}.${name}] ${done} ${file}:`);
  context.print(JSON.stringify(entry, undefined, 2));
  if (dryRun) return;
  context.print(
    `Start ${title} again to use it. No key is in the file: where the service asks for one, start the program with QUARRY_API_KEY.`,
  );
}

/** The programs with their files, and whether they have the entry. */
async function listPrograms(context: VerbContext): Promise<number> {
  const name = context.values.get('name') ?? DEFAULT_NAME;
  const place = userPlace(context.environment);
  const files = PROGRAMS.flatMap((program) => [
    ...(program.project === undefined ? [] : [{ program, file: resolve(program.project) }]),
    ...(program.user === undefined ? [] : [{ program, file: program.user(place) }]),
  ]);
  const rows = await Promise.all(
    files.map(async ({ program, file }) => ({
      program: program.name,
      file,
      state: await stateOf(program, file, name),
    })),
  );
  if (context.json) context.print(JSON.stringify(rows));
  else {
    const cells = rows.map((row) => [row.program, row.state, row.file]);
    for (const line of table(['PROGRAM', 'ENTRY', 'FILE'], cells)) context.print(line);
  }
  return 0;
}

async function stateOf({ member }: Program, file: string, name: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return 'no file';
  const value = parsed(text);
  const servers = isObject(value) ? value[member] : undefined;
  if (!isObject(value)) return 'unreadable';
  return isObject(servers) && Object.hasOwn(servers, name) ? 'there' : 'none';
}
