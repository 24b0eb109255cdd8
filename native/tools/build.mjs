// `npm run build:native`: the addon, in build/. With `-- --plain`: every file of the core alone and with precompiled
// headers, in build/plain: the folder to edit in, and the check of what files include.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

const { plain } = parseArgs({ options: { plain: { type: 'boolean', default: false } } }).values;
// As many as there are processors: ninja alone would take two more, each with up to 1 GB.
const args = ['cmake-js', 'build', '--parallel', String(availableParallelism())];
if (plain) args.push('--out', 'build/plain', '--CDQUARRY_PLAIN=ON');
process.exit(spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1);
