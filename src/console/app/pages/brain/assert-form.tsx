// Asserts a link between two nodes.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Field } from '../../kit/field.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox, Notice } from '../../kit/messages.js';
import { MomentField } from '../../kit/moments.js';

const TEXTS = [
  { name: 'src', label: 'From (id of a document)' },
  { name: 'type', label: 'Type' },
  { name: 'dst', label: 'To (id of a document)' },
] as const;

export function AssertForm({
  brain,
  src = '',
  onAsserted,
}: {
  readonly brain: string;
  readonly src?: string;
  readonly onAsserted: () => void;
}) {
  const [texts, setTexts] = useState({ src, type: 'mentions', dst: '', weight: '1', quote: '' });
  const [validAt, setValidAt] = useState<number>();
  const [asserted, setAsserted] = useState<boolean>();
  const { isRunning, error, run } = useAction(async () => {
    const { quote, weight, ...ends } = texts;
    const { created } = await call<{ readonly created: boolean }>(
      'POST',
      path`/_graph/${brain}/link`,
      {
        ...ends,
        weight: Number(weight),
        ...(quote === '' ? {} : { evidence: { quote, source: ends.src } }),
        ...(validAt === undefined ? {} : { valid_at: validAt }),
      },
    );
    setAsserted(created);
    announce('The link is asserted');
    onAsserted();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <div class="row">
        {TEXTS.map(({ name, label }) => (
          <Field key={name} label={label}>
            {(id) => (
              <input
                id={id}
                required
                autocomplete="off"
                value={texts[name]}
                onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <div class="row">
        <Field label="Weight (0 to 1)">
          {(id) => (
            <input
              id={id}
              type="number"
              min={0}
              max={1}
              step="any"
              value={texts.weight}
              onInput={(event) => setTexts({ ...texts, weight: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Quote that shows it (may be empty)">
          {(id) => (
            <input
              id={id}
              value={texts.quote}
              onInput={(event) => setTexts({ ...texts, quote: event.currentTarget.value })}
            />
          )}
        </Field>
        <MomentField label="True since (now unless told)" value={validAt} onChange={setValidAt} />
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {asserted !== undefined && (
        <Notice kind="good">
          {asserted ? 'The link is asserted.' : 'The same link was there already.'}
        </Notice>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          Assert it
        </button>
      </div>
    </form>
  );
}
