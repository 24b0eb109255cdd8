// Creates an index from a name, a number of shards and a mapping.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Dialog } from '../../kit/dialog.js';
import { Field } from '../../kit/field.js';
import { isObject, parseJson } from '../../kit/json.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox } from '../../kit/messages.js';
import { go } from '../../kit/router.js';

const MAPPING = `{
  "properties": {
    "title": { "type": "text", "analyzer": "english" },
    "tags": { "type": "keyword" },
    "body": { "type": "semantic_text" }
  }
}`;

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [shards, setShards] = useState('1');
  const [mapping, setMapping] = useState(MAPPING);
  const { isRunning, error, run } = useAction(async () => {
    await call('PUT', path`/${name}`, {
      settings: { number_of_shards: Number(shards) },
      mappings: readMapping(mapping),
    });
    announce('The index was created');
    onClose();
    go('indexes', [name]);
  });
  return (
    <Dialog title="Create an index" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Field label="Name" hint="Lower case, for example books or logs-2024.">
          {(id, hintId) => (
            <input
              id={id}
              required
              autocomplete="off"
              spellcheck={false}
              aria-describedby={hintId}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Shards"
          hint="Parts that are searched at the same time; one is right for most."
        >
          {(id, hintId) => (
            <input
              id={id}
              type="number"
              min={1}
              max={1024}
              required
              aria-describedby={hintId}
              value={shards}
              onInput={(event) => setShards(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Mapping"
          hint="Fields that are not listed are added when documents bring them. Empty: all are."
        >
          {(id, hintId) => (
            <textarea
              id={id}
              class="code-input"
              rows={9}
              spellcheck={false}
              aria-describedby={hintId}
              value={mapping}
              onInput={(event) => setMapping(event.currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <ErrorBox error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isRunning}>
            {isRunning ? 'Creating …' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function readMapping(text: string): unknown {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('A mapping is a JSON object.');
  return value;
}
