// Answers as YAML, as Elasticsearch prints them: texts in quotes, lists at the depth of their key.
import { toJson } from './json.js';

/** Keys that need no quotes. */
const PLAIN_KEY = /^[A-Za-z_./][\w./@*-]*$/;
/** What YAML reads as something else than a text. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null)$/i;

export function toYaml(value: unknown): string {
  return `---\n${block(value, '')}`;
}

/** `value` from the start of a line on, its lines ended. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `${indent}- ${inline(item, `${indent}  `)}`).join('');
  }
  if (isObject(value) && Object.keys(value).length > 0) return members(value, indent);
  return `${indent}${leaf(value)}\n`;
}

/** `value` behind what its line begins with; further lines are indented by `indent`. */
function inline(value: unknown, indent: string): string {
  return block(value, indent).slice(indent.length);
}

function members(value: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const key = PLAIN_KEY.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name);
      if (Array.isArray(member) && member.length > 0) {
        return `${indent}${key}:\n${block(member, indent)}`;
      }
      if (isObject(member) && Object.keys(member).length > 0) {
        return `${indent}${key}:\n${block(member, `${indent}  `)}`;
      }
      return `${indent}${key}: ${leaf(member)}\n`;
    })
    .join('');
}

/** Texts and numbers of JSON are those of YAML, and so are `{}` and `[]`. */
function leaf(value: unknown): string {
  return toJson(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
