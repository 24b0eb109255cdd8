// `script_fields`: fields of hits that scripts compute.
import type { Json } from '../../backend/index.js';
import type { PlanWriter } from '../../wire/plan-writer.js';
import type { SearchLimits } from '../limits.js';
import { checkRepeated } from '../list-limits.js';
import { type Script, writeScript } from '../script/program.js';
import { readScript } from '../script/request.js';
import { illegal, isObject, malformed, shortened, toFlag, tokenName } from '../values.js';

export interface ScriptField {
  readonly name: string;
  readonly script: Script;
  /** Documents on which the script fails have no value, instead of the search. */
  readonly ignoreFailure: boolean;
}

export function parseScriptFields(value: Json, limits: SearchLimits): readonly ScriptField[] {
  if (!isObject(value)) {
    throw malformed(`Unknown key for a ${tokenName(value)} in [script_fields].`);
  }
  const fields = Object.entries(value);
  if (fields.length > limits.scriptFields) {
    throw illegal(
      `Trying to retrieve too many script_fields. Must be less than or equal to: [${limits.scriptFields}] but was [${fields.length}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
    );
  }
  return fields.map(([name, body]) => parseField(name, body));
}

function parseField(name: string, body: Json): ScriptField {
  checkRepeated('[script_fields] the name', name);
  if (!isObject(body)) {
    throw malformed(
      `Expected [START_OBJECT] in [${shortened(name)}] but found [${tokenName(body)}]`,
    );
  }
  const { script, ignore_failure: ignoreFailure = false, ...others } = body;
  const [unknown] = Object.entries(others);
  if (unknown !== undefined) {
    throw malformed(`Unknown key for a ${tokenName(unknown[1])} in [${shortened(unknown[0])}].`);
  }
  return {
    name,
    script: readScript('script_fields', script, []),
    ignoreFailure: toFlag(ignoreFailure, `[ignore_failure] of [${shortened(name)}]`),
  };
}

export function writeScriptFields(writer: PlanWriter, fields: readonly ScriptField[]): void {
  writer.node('script_fields', () =>
    writer.list(fields, ({ name, script, ignoreFailure }) =>
      writer
        .str(name)
        .bool(ignoreFailure)
        .block(() => writeScript(writer, script)),
    ),
  );
}
