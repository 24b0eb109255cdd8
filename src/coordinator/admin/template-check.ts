// Checks that a template yields a valid index: merged with its components it gets the checks of an
// index creation.
import type { JsonObject, TemplateKind } from '../../backend/index.js';
import { type ErrorCause, QuarryError } from '../../errors.js';
import type { TemplateBody } from './template-bodies.js';
import { mergeBodies } from './template-merge.js';
import type { Templates } from './template-store.js';

/** Throws for settings and mappings that no index can have. */
export type CheckIndex = (body: JsonObject) => Promise<void>;

/** `all`: the templates including the new version of the checked one. */
export async function checkTemplate(
  kind: TemplateKind,
  name: string,
  all: Templates,
  check: CheckIndex,
): Promise<void> {
  const template = all[kind].get(name);
  if (template === undefined) return;
  if (kind === 'legacy') return check(parts(template));
  if (kind === 'index') return checkComposed(name, template, all, check, '');
  await check(template.template ?? {});
  for (const [user, body] of all.index) {
    if (body.composed_of?.includes(name) !== true) continue;
    const components = ` with component templates [${body.composed_of.join(',')}]`;
    try {
      await checkComposed(user, body, all, check, components);
    } catch (error) {
      throw wrapped(
        error,
        `updating component template [${name}] results in invalid composable template [${user}] after templates are merged`,
      );
    }
  }
}

async function checkComposed(
  name: string,
  template: TemplateBody,
  all: Templates,
  check: CheckIndex,
  components: string,
): Promise<void> {
  try {
    await check(mergeBodies(bodiesOf(template, all)));
  } catch (error) {
    const inner =
      error instanceof QuarryError && error.type === 'mapper_parsing_exception'
        ? wrapped(error, `invalid composite mappings for [${name}]`)
        : error;
    throw wrapped(
      inner,
      `composable template [${name}] template after composition${components} is invalid`,
    );
  }
}

function wrapped(error: unknown, reason: string): unknown {
  if (!(error instanceof QuarryError) || error.status >= 500) return error;
  const causedBy: ErrorCause = error.toCause();
  return new QuarryError('illegal_argument_exception', reason, { causedBy });
}

/** The bodies that an index template consists of, in ascending precedence. */
export function bodiesOf(template: TemplateBody, all: Templates): readonly JsonObject[] {
  const components = (template.composed_of ?? []).map((name) => all.component.get(name)?.template);
  return [...components, template.template].map((body) => body ?? {});
}

/** The sections of a legacy template. */
export function parts({ settings = {}, mappings = {}, aliases = {} }: TemplateBody): JsonObject {
  return { settings, mappings, aliases };
}
