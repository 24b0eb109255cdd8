// Saved searches, and the form that saves the current one.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { Field } from '../../kit/field.js';
import { removeSearch, type SavedSearch, savedSearches, saveSearch } from './saved.js';

export function SavedList({
  current,
  onOpen,
}: {
  readonly current: Omit<SavedSearch, 'name'>;
  readonly onOpen: (search: SavedSearch) => void;
}) {
  const [name, setName] = useState('');
  const searches = savedSearches.value;
  return (
    <details class="panel">
      <summary>Saved searches ({searches.length})</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          saveSearch({ ...current, name: name.trim() });
          announce('The search is saved in this browser');
          setName('');
        }}
      >
        <Field label="Name" hint="Saved in this browser alone, without a key.">
          {(id, hintId) => (
            <input
              id={id}
              aria-describedby={hintId}
              value={name}
              maxLength={100}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Save this search</button>
      </form>
      <ul>
        {searches.map((search) => (
          <li key={search.name}>
            <button type="button" class="plain link" onClick={() => onOpen(search)}>
              {search.name}
            </button>{' '}
            <span class="quiet">
              {search.index === '' ? '*' : search.index}: {search.text}
            </span>{' '}
            <button
              type="button"
              aria-label={`Remove the saved search ${search.name}`}
              onClick={() => removeSearch(search.name)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
