// The mapping as a tree: each field with its type, examples, and how many values differ.
import { useMemo } from 'preact/hooks';
import { type Field, fieldsOf } from '../../data/mapping.js';
import { countText } from '../../kit/format.js';
import { type JsonObject, jsonText } from '../../kit/json.js';
import { JsonView } from '../../kit/json-view.js';
import { useLoad } from '../../kit/load.js';
import { Badge, Empty, ErrorBox } from '../../kit/messages.js';
import { Tree, type TreeNode } from '../../kit/tree.js';
import { type FieldFacts, loadFacts } from './field-facts.js';

type Facts = ReadonlyMap<string, FieldFacts> | undefined;

export function MappingTab({
  name,
  mappings,
}: {
  readonly name: string;
  readonly mappings: JsonObject;
}) {
  const fields = useMemo(() => fieldsOf(mappings), [mappings]);
  const facts = useLoad((signal) => loadFacts(name, fields, signal), [name, fields]);
  if (fields.length === 0) {
    return (
      <Empty title="No field is mapped yet">
        <p>The first document brings its fields, or a mapping names them before.</p>
      </Empty>
    );
  }
  return (
    <>
      {facts.error !== undefined && <ErrorBox error={facts.error} onRetry={facts.reload} />}
      <Tree label="Fields" nodes={nodesOf(fields, facts.value)} />
      <details>
        <summary>As JSON</summary>
        <JsonView label="Mapping" value={mappings} />
      </details>
    </>
  );
}

/** Fields under those whose path they continue. */
function nodesOf(fields: readonly Field[], facts: Facts): readonly TreeNode[] {
  const roots: TreeNode[] = [];
  const open: { readonly prefix: string; readonly children: TreeNode[] }[] = [];
  for (const field of fields) {
    while (open.length > 0 && !field.path.startsWith(open.at(-1)?.prefix ?? '')) open.pop();
    const children: TreeNode[] = [];
    const parent = open.at(-1);
    const label = field.path.slice(parent?.prefix.length ?? 0);
    const node = {
      key: field.path,
      label: <FieldLabel field={field} name={label} facts={facts?.get(field.path)} />,
      children,
    };
    (parent?.children ?? roots).push(node);
    open.push({ prefix: `${field.path}.`, children });
  }
  return roots;
}

/** Parameters that are said in the label itself, or lead to other fields. */
const NOT_LISTED = new Set(['type', 'properties', 'fields']);

function FieldLabel({
  field,
  name,
  facts,
}: {
  readonly field: Field;
  readonly name: string;
  readonly facts: FieldFacts | undefined;
}) {
  const parameters = Object.entries(field.definition).filter(([key]) => !NOT_LISTED.has(key));
  return (
    <span class="mapped-field">
      <strong>{name}</strong> <Badge>{field.type}</Badge>
      {parameters.map(([key, value]) => (
        <code key={key}> {`${key}: ${jsonText(value, 0)}`}</code>
      ))}
      {facts?.distinct !== undefined && (
        <span class="quiet"> {countText(facts.distinct)} different</span>
      )}
      {facts !== undefined && facts.examples.length > 0 && (
        <span class="quiet"> e.g. {facts.examples.join(' · ')}</span>
      )}
    </span>
  );
}
