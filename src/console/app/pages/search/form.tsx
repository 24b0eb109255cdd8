// The question: indexes, words, the ways to search, and an example for vectors.
import { useState } from 'preact/hooks';
import { IndexPicker } from '../../data/index-picker.js';
import type { IndexRow } from '../../data/indexes.js';
import type { Field } from '../../data/mapping.js';
import { call, path } from '../../kit/api.js';
import { Field as FormField, Select } from '../../kit/field.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox } from '../../kit/messages.js';
import { type Example, exampleFields, MODES, type Mode } from './request.js';
import { exampleAt, type SearchAnswer } from './results.js';

export interface FormState {
  readonly index: string;
  readonly text: string;
  readonly left: Mode;
  readonly right: Mode | 'none';
}

export function SearchForm({
  state,
  indexes,
  fields,
  example,
  onChange,
  onExample,
  onSearch,
}: {
  readonly state: FormState;
  readonly indexes: readonly IndexRow[];
  readonly fields: readonly Field[];
  readonly example: Example | undefined;
  readonly onChange: (changed: Partial<FormState>) => void;
  readonly onExample: (example: Example | undefined) => void;
  readonly onSearch: () => void;
}) {
  const usesVector = [state.left, state.right].some(
    (mode) => mode === 'vector' || mode === 'hybrid',
  );
  return (
    <search>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch();
        }}
      >
        <div class="row">
          <IndexPicker
            label="Indexes"
            value={state.index}
            indexes={indexes}
            onChange={(index) => onChange({ index })}
          />
          <FormField label="Question">
            {(id) => (
              <input
                id={id}
                type="search"
                value={state.text}
                placeholder="Words, or a sentence; empty finds everything"
                onInput={(event) => onChange({ text: event.currentTarget.value })}
              />
            )}
          </FormField>
          <Select
            label="Search by"
            value={state.left}
            options={MODES}
            onChange={(left) => onChange({ left })}
          />
          <Select
            label="Compare with"
            value={state.right}
            options={[{ value: 'none' as const, title: 'nothing' }, ...MODES]}
            onChange={(right) => onChange({ right })}
          />
        </div>
        {usesVector && exampleFields(fields).length > 0 && (
          <ExampleField
            index={state.index}
            fields={exampleFields(fields)}
            example={example}
            onExample={onExample}
          />
        )}
        <div class="actions">
          <button type="submit" class="primary">
            Search
          </button>
        </div>
      </form>
    </search>
  );
}

/** A document whose vector is the question. */
function ExampleField({
  index,
  fields,
  example,
  onExample,
}: {
  readonly index: string;
  readonly fields: readonly Field[];
  readonly example: Example | undefined;
  readonly onExample: (example: Example | undefined) => void;
}) {
  const [id, setId] = useState('');
  const [field, setField] = useState(fields[0]?.path ?? '');
  const { isRunning, error, run } = useAction(async () => {
    const value = await valueOfExample(index, id, field);
    onExample({ id, field, value });
  });
  return (
    <fieldset>
      <legend>Example</legend>
      {example === undefined ? (
        <p class="quiet">The question is a document: type its id, or use “Like this” at a hit.</p>
      ) : (
        <p>
          Like <code>{example.id}</code> in <code>{example.field}</code>{' '}
          <button type="button" onClick={() => onExample(undefined)}>
            Remove
          </button>
        </p>
      )}
      <div class="row">
        <Select
          label="Field"
          value={field}
          options={fields.map(({ path: name }) => ({ value: name, title: name }))}
          onChange={setField}
        />
        <FormField label="Id of the document">
          {(inputId) => (
            <input
              id={inputId}
              autocomplete="off"
              value={id}
              onInput={(event) => setId(event.currentTarget.value)}
            />
          )}
        </FormField>
        <button type="button" disabled={isRunning || id === ''} onClick={run}>
          Use as the example
        </button>
      </div>
      {error !== undefined && <ErrorBox error={error} />}
    </fieldset>
  );
}

async function valueOfExample(index: string, id: string, field: string): Promise<Example['value']> {
  const body = { query: { ids: { values: [id] } }, size: 1, _source: [field] };
  const { hits } = await call<SearchAnswer>('POST', path`/${index || '*'}/_search`, body);
  const [hit] = hits.hits;
  if (hit === undefined) throw new Error(`No document has the id [${id}].`);
  const value = exampleAt(hit._source, field);
  if (value === undefined) throw new Error(`[${id}] has no vector and no text in [${field}].`);
  return value;
}
