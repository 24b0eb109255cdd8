// The files of a unit (native/sources.txt) are compiled as one source, so their internal names must
// be unique: a duplicate is an error at best, and at worst an overload that another file calls.
import type { Unit } from '../../native/tools/units.mjs';
import { declarationsOf } from './cpp-declarations.ts';
import type { SourceFile } from './source-files.ts';

/**
 * "unit text: [kTypes] is declared by a.cc and b.cc" for every duplicate name, and a message for
 * every macro and using-directive that affects the other files.
 */
export function unitViolations(
  units: readonly Unit[],
  sources: ReadonlyMap<string, string>,
): string[] {
  const shared = sharedNames(sources);
  const together = units.filter(({ name }) => name !== 'single');
  return together.flatMap(({ name, files }) =>
    files
      .flatMap((file) => leaks(file, sources.get(file) ?? '', sources))
      .concat(collisions(files, sources, shared))
      .map((violation) => `unit ${name}: ${violation}`),
  );
}

/** The sources of native/core/ by their path in #include. */
export function coreSources(files: readonly SourceFile[]): Map<string, string> {
  return new Map(files.map(({ path, text }) => [path.replace('native/core/', ''), text]));
}

/** Names that headers declare in `quarry` itself. */
function sharedNames(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [path, text] of sources) {
    if (!path.endsWith('.h')) continue;
    for (const { scope, name, kind } of declarationsOf(text)) {
      if (scope.join() === 'quarry' && kind !== 'forward') names.set(name, path);
    }
  }
  return names;
}

/** Names that a source declares internally, including those of tables (`.inc`) that it includes. */
function ownNames(text: string, sources: ReadonlyMap<string, string>): Set<string> {
  const whole = text.replace(
    /^#include "([^"]+\.inc)"/gm,
    (_, path: string) => sources.get(path) ?? '',
  );
  const names = declarationsOf(whole)
    .filter(({ kind }) => kind !== 'using' && kind !== 'using namespace' && kind !== 'forward')
    .filter(({ scope, kind }) => scope.includes('') || kind === 'variable')
    .map(({ name }) => name);
  return new Set(names);
}

function collisions(
  files: readonly string[],
  sources: ReadonlyMap<string, string>,
  shared: ReadonlyMap<string, string>,
): string[] {
  const found: string[] = [];
  const first = new Map<string, string>();
  for (const file of files) {
    for (const name of ownNames(sources.get(file) ?? '', sources)) {
      const other = first.get(name) ?? shared.get(name);
      if (other === undefined) first.set(name, file);
      else
        found.push(`[${name}] is declared by ${other} and by ${file}; give one a name of its own`);
    }
  }
  return found;
}

/** A table (`.def`) may undefine the macros that its users define. */
function leaks(file: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  const directives = declarationsOf(text)
    .filter(({ kind }) => kind === 'using namespace')
    .map(({ name }) => `${file} has [using namespace ${name}]; qualify the names instead`);
  const tables = [...text.matchAll(/^#include "([^"]+\.def)"/gm)].map(
    ([, table]) => sources.get(table ?? '') ?? '',
  );
  const all = [text, ...tables].join('\n');
  const macros = [...text.matchAll(/^#define (\w+)/gm)]
    .map(([, macro]) => macro ?? '')
    .filter((macro) => !new RegExp(`^#undef ${macro}\\b`, 'm').test(all))
    .map((macro) => `${file} defines [${macro}]; undefine it behind its use`);
  return [...directives, ...macros];
}
