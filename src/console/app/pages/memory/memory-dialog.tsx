// One memory with its life: links, earlier versions, and what corrects it. Each correction is its
// button and its confirmation.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Dialog } from '../../kit/dialog.js';
import { Field } from '../../kit/field.js';
import { plural, timeText } from '../../kit/format.js';
import { jsonText } from '../../kit/json.js';
import { JsonView } from '../../kit/json-view.js';
import { LoadedView, useAction, useLoad } from '../../kit/load.js';
import { Badge, ErrorBox } from '../../kit/messages.js';
import { MomentField } from '../../kit/moments.js';
import { PageLink } from '../../kit/router.js';
import { JsonField, mergePatch, readJsonObject } from './json-field.js';
import { ReceiptView } from './receipt.js';
import { StoreForm } from './store-dialog.js';
import type { MemoryDetails, Receipt } from './types.js';

type Correction = 'supersede' | 'edit' | 'expire' | 'forget';

const CORRECTIONS: readonly { readonly name: Correction; readonly title: string }[] = [
  { name: 'supersede', title: 'Supersede' },
  { name: 'edit', title: 'Edit' },
  { name: 'expire', title: 'Expire' },
  { name: 'forget', title: 'Forget' },
];

interface Props {
  readonly namespace: string;
  readonly id: string;
  readonly onOpen: (id: string) => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function MemoryDialog(props: Props) {
  const { namespace, id, onClose, onChanged, onOpen } = props;
  const [correction, setCorrection] = useState<Correction>();
  const [receipt, setReceipt] = useState<Receipt>();
  const memory = useLoad(
    (signal) =>
      call<MemoryDetails>('GET', path`/_memory/${namespace}/${id}`, undefined, { signal }),
    [namespace, id],
  );
  const done = (): void => {
    setCorrection(undefined);
    memory.reload();
    onChanged();
  };
  if (receipt !== undefined) {
    return (
      <Dialog title="The memory is forgotten" onClose={onClose}>
        <ReceiptView receipt={receipt} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Memory ${id}`} onClose={onClose}>
      <LoadedView of={memory} what="the memory">
        {(value) => (
          <>
            <Facts memory={value} onOpen={onOpen} />
            <fieldset class="actions">
              <legend class="visually-hidden">Correct it</legend>
              {CORRECTIONS.map(({ name, title }) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={correction === name}
                  class={name === 'forget' ? 'danger' : undefined}
                  onClick={() => setCorrection(correction === name ? undefined : name)}
                >
                  {title}
                </button>
              ))}
            </fieldset>
            {correction === 'supersede' && (
              <>
                <p class="quiet">
                  What is no longer true is superseded: it stays, and recalls of the past find it.
                </p>
                <StoreForm
                  namespace={namespace}
                  supersedes={[id]}
                  text={value.text ?? ''}
                  metadata={value.metadata === null ? '' : jsonText(value.metadata)}
                  action="Supersede it with this"
                  onDone={done}
                />
              </>
            )}
            {correction === 'edit' && (
              <EditForm namespace={namespace} memory={value} onDone={done} />
            )}
            {correction === 'expire' && (
              <ExpireForm namespace={namespace} memory={value} onDone={done} />
            )}
            {correction === 'forget' && (
              <ForgetForm
                namespace={namespace}
                id={id}
                onForgotten={(given) => {
                  setReceipt(given);
                  onChanged();
                }}
              />
            )}
            <Life namespace={namespace} memory={value} />
          </>
        )}
      </LoadedView>
    </Dialog>
  );
}

function Facts({
  memory,
  onOpen,
}: {
  readonly memory: MemoryDetails;
  readonly onOpen: (id: string) => void;
}) {
  const { text, metadata, state, stored_at, own_time, edited_at, expires_at } = memory;
  const { superseded_by, supersedes, superseded_at } = memory;
  const times = [
    ['Stored', stored_at],
    ['Its own time', own_time],
    ['Changed', edited_at],
    ['Superseded', superseded_at],
    ['Expires', expires_at],
  ] as const;
  return (
    <>
      <blockquote class="memory-whole">{text ?? '(only a vector)'}</blockquote>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <Badge kind={state === 'live' ? 'good' : 'warning'}>{state}</Badge>
        </dd>
        {times.map(([title, time]) =>
          time === null || time === undefined ? null : (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd>{timeText(time)}</dd>
            </Fragment>
          ),
        )}
        <Ids title="Supersedes" ids={supersedes} onOpen={onOpen} />
        <Ids title="Superseded by" ids={superseded_by} onOpen={onOpen} />
      </dl>
      {metadata !== null && <JsonView label="Metadata" value={metadata} />}
    </>
  );
}

function Ids({
  title,
  ids,
  onOpen,
}: {
  readonly title: string;
  readonly ids: readonly string[];
  readonly onOpen: (id: string) => void;
}) {
  if (ids.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {ids.map((id) => (
          <button key={id} type="button" class="link" onClick={() => onOpen(id)}>
            {id}
          </button>
        ))}
      </dd>
    </>
  );
}

function Life({
  namespace,
  memory: { links, history, id },
}: {
  readonly namespace: string;
  readonly memory: MemoryDetails;
}) {
  return (
    <>
      {links.length > 0 && (
        <details>
          <summary>{plural(links.length, 'link')}</summary>
          <ul>
            {links.slice(0, 100).map(({ edge_id, src, dst, type, state }) => (
              <li key={edge_id}>
                <code>{src}</code> {type} <code>{dst}</code> <Badge>{state}</Badge>
              </li>
            ))}
          </ul>
          <PageLink page="brain" parts={[namespace]} params={{ node: id }}>
            See them as a graph
          </PageLink>
        </details>
      )}
      {history.length > 0 && (
        <details>
          <summary>{plural(history.length, 'earlier version')}</summary>
          <ol>
            {history.map(({ text, metadata, from, until }) => (
              <li key={from}>
                <p>
                  {timeText(from)} to {timeText(until)}
                </p>
                <blockquote class="memory-whole">{text ?? '(only a vector)'}</blockquote>
                {metadata !== null && <code>{jsonText(metadata, 0)}</code>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

interface FormProps {
  readonly namespace: string;
  readonly memory: MemoryDetails;
  readonly onDone: () => void;
}

function EditForm({ namespace, memory, onDone }: FormProps) {
  const { id } = memory;
  const [text, setText] = useState(memory.text ?? '');
  const [metadata, setMetadata] = useState(
    memory.metadata === null ? '' : jsonText(memory.metadata),
  );
  const { isRunning, error, run } = useAction(async () => {
    const after = readJsonObject(metadata, 'The metadata');
    const patch = after === undefined ? null : mergePatch(memory.metadata ?? {}, after);
    await call('PATCH', path`/_memory/${namespace}/${id}`, {
      ...(text === (memory.text ?? '') ? {} : { text }),
      ...(patch === null && memory.metadata === null ? {} : { metadata: patch }),
    });
    announce('The memory was changed');
    onDone();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Field label="Text" hint="The version that is there is kept among the earlier ones.">
        {(field, hint) => (
          <textarea
            id={field}
            aria-describedby={hint}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <JsonField label="Metadata (JSON)" value={metadata} onChange={setMetadata} />
      {error !== undefined && <ErrorBox error={error} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          Save
        </button>
      </div>
    </form>
  );
}

function ExpireForm({ namespace, memory, onDone }: FormProps) {
  const [at, setAt] = useState<number | undefined>(memory.expires_at ?? Date.now() + 86_400_000);
  const [never, setNever] = useState(false);
  const { isRunning, error, run } = useAction(async () => {
    const body = { expires_at: never ? null : (at ?? null) };
    await call('PATCH', path`/_memory/${namespace}/${memory.id}`, body);
    announce('The end of the memory was changed');
    onDone();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <MomentField
        label="Expires at"
        hint="From that moment on it is in no answer, and it leaves the disk."
        value={at}
        onChange={setAt}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={never}
          onChange={(event) => setNever(event.currentTarget.checked)}
        />{' '}
        It never expires
      </label>
      {error !== undefined && <ErrorBox error={error} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning || (!never && at === undefined)}>
          Set the end
        </button>
      </div>
    </form>
  );
}

function ForgetForm({
  namespace,
  id,
  onForgotten,
}: {
  readonly namespace: string;
  readonly id: string;
  readonly onForgotten: (receipt: Receipt) => void;
}) {
  const { isRunning, error, run } = useAction(async () => {
    const { receipt } = await call<{ readonly receipt: Receipt }>(
      'DELETE',
      path`/_memory/${namespace}/${id}`,
    );
    announce('The memory is forgotten');
    onForgotten(receipt);
  });
  return (
    <>
      <p>
        The memory is removed with its links, their quotes and its earlier versions, in answers and
        on disk. It cannot be brought back.
      </p>
      {error !== undefined && <ErrorBox error={error} />}
      <div class="actions">
        <button type="button" class="danger" disabled={isRunning} onClick={run}>
          {isRunning ? 'Forgetting …' : 'Forget it for good'}
        </button>
      </div>
    </>
  );
}
