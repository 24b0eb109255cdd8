// One hit: its highlights, and on request its explanation, source and links.
import { useState } from 'preact/hooks';
import type { Field } from '../../data/mapping.js';
import { call, path } from '../../kit/api.js';
import { numberText } from '../../kit/format.js';
import { JsonView } from '../../kit/json-view.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Empty } from '../../kit/messages.js';
import { href } from '../../kit/router.js';
import { Marked } from './marked.js';
import { type Example, exampleFields } from './request.js';
import {
  difference,
  type Explanation,
  exampleAt,
  type Hit,
  snippetOf,
  titleOf,
} from './results.js';
import { Why } from './why.js';

type View = 'why' | 'source' | 'links';

export function HitView({
  hit,
  place,
  otherPlace,
  isCompared,
  fields,
  explain,
  onExample,
}: {
  readonly hit: Hit;
  readonly place: number;
  /** Its place on the other side. */
  readonly otherPlace: number | undefined;
  readonly isCompared: boolean;
  readonly fields: readonly Field[];
  /** Asks the same search for explanations, and returns that of a hit. */
  readonly explain: (hit: Hit) => Promise<Explanation | undefined>;
  readonly onExample: (example: Example) => void;
}) {
  const [view, setView] = useState<View>();
  const moved = isCompared ? difference(place, otherPlace) : undefined;
  const example = exampleOf(hit, fields);
  const toggle = (wanted: View): void => setView(view === wanted ? undefined : wanted);
  const views: readonly (readonly [View, string])[] = [
    ['why', 'Why'],
    ['source', 'Source'],
    ['links', 'Links'],
  ];
  return (
    <li class="hit">
      <div class="hit-head">
        <span class="hit-place" aria-hidden="true">
          {place}
        </span>
        <h3>{titleOf(hit)}</h3>
        {moved !== undefined && <span class={`badge moved-${moved.kind}`}>{moved.text}</span>}
      </div>
      <p class="hit-facts">
        <code>{hit._id}</code> in <a href={href('indexes', [hit._index])}>{hit._index}</a>
        {hit._score !== null && ` · score ${numberText(hit._score)}`}
      </p>
      <Snippets hit={hit} />
      <div class="actions">
        {views.map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-expanded={view === name}
            onClick={() => toggle(name)}
          >
            {title}
          </button>
        ))}
        {example !== undefined && (
          <button type="button" onClick={() => onExample(example)}>
            Like this
          </button>
        )}
      </div>
      {view === 'why' && <HitExplanation hit={hit} explain={explain} />}
      {view === 'source' && <JsonView label="Source" value={hit._source ?? {}} />}
      {view === 'links' && <HitLinks hit={hit} />}
    </li>
  );
}

function Snippets({ hit }: { readonly hit: Hit }) {
  const highlights = Object.entries(hit.highlight ?? {});
  if (highlights.length === 0) {
    const snippet = snippetOf(hit);
    return snippet === undefined ? null : <p class="snippet">{snippet}</p>;
  }
  return (
    <>
      {highlights.map(([field, fragments]) => (
        <p key={field} class="snippet">
          <span class="quiet">{field}: </span>
          {fragments.map((fragment, at) => (
            <span key={at}>
              {at > 0 && ' … '}
              <Marked text={fragment} />
            </span>
          ))}
        </p>
      ))}
    </>
  );
}

/** The first vector or embedded text of the hit, if its source shows one. */
function exampleOf(hit: Hit, fields: readonly Field[]): Example | undefined {
  for (const { path: field } of exampleFields(fields)) {
    const value = exampleAt(hit._source, field);
    if (value !== undefined) return { id: hit._id, field, value };
  }
  return undefined;
}

function HitExplanation({
  hit,
  explain,
}: {
  readonly hit: Hit;
  readonly explain: (hit: Hit) => Promise<Explanation | undefined>;
}) {
  const loaded = useLoad(async () => ({ explanation: await explain(hit) }), [hit]);
  return (
    <LoadedView of={loaded} what="the explanation">
      {({ explanation }) =>
        explanation === undefined ? (
          <p class="quiet">
            This search has no explanation of the hit, for example since it is sorted.
          </p>
        ) : (
          <Why explanation={explanation} />
        )
      }
    </LoadedView>
  );
}

interface Ego {
  readonly links: readonly {
    readonly src: string;
    readonly dst: string;
    readonly type: string;
    readonly direction: 'in' | 'out';
  }[];
}

/** A brain is named after its index, that of memories after their namespace. */
function brainOf(index: string): string {
  return index.replace(/^\.svc-memory-/, '');
}

function HitLinks({ hit }: { readonly hit: Hit }) {
  const brain = brainOf(hit._index);
  const loaded = useLoad(
    (signal) =>
      call<Ego>('GET', path`/_graph/${brain}/ego`, undefined, {
        signal,
        params: { node: hit._id },
      }),
    [brain, hit._id],
  );
  if (loaded.error?.status === 404) {
    return (
      <Empty title="This index has no links">
        <p>
          <code>{`PUT /_graph/${brain}`}</code> with the index as <code>nodes_index</code> makes a
          brain of it, and <code>{`POST /_graph/${brain}/detect`}</code> finds its links.
        </p>
      </Empty>
    );
  }
  return (
    <LoadedView of={loaded} what="the links">
      {({ links }) => (
        <>
          {links.length === 0 && <p class="quiet">Nothing is linked with it.</p>}
          <ul>
            {links.slice(0, 50).map(({ src, dst, type, direction }) => (
              <li key={`${src} ${type} ${dst}`}>
                {direction === 'out' ? `${type} → ` : `${type} ← `}
                <a href={href('brain', [brain], { node: direction === 'out' ? dst : src })}>
                  {direction === 'out' ? dst : src}
                </a>
              </li>
            ))}
          </ul>
          <a href={href('brain', [brain], { node: hit._id })}>Show it in the graph</a>
        </>
      )}
    </LoadedView>
  );
}
