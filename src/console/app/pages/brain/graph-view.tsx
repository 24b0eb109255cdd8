// The graph around a node, grown by expanding others: what it shows, what it leaves out, and the
// node or link that is chosen.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Field } from '../../kit/field.js';
import { countText, plural } from '../../kit/format.js';
import { useAction } from '../../kit/load.js';
import { Empty, ErrorBox, Notice, Progress } from '../../kit/messages.js';
import { GraphCanvas, LINK_COLORS } from './graph-canvas.js';
import type { Drawing } from './graph-drawing.js';
import { GraphModel, MAX_LINKS, MAX_NODES, type Moment, nameOf, stateAt } from './graph-model.js';
import { GraphTables } from './graph-tables.js';
import { Layout } from './layout.js';
import { LinkPanel } from './link-panel.js';
import { NodePanel } from './node-panel.js';
import { type Moments, TimeSliders } from './time-sliders.js';
import type { EgoAnswer } from './types.js';

interface Props {
  readonly brain: string;
  readonly node: string | null;
  /** Begins again around another node. */
  readonly onNode: (id: string) => void;
}

/** The most that the service returns around one node. */
const LIMIT = 1000;
const FIRST_ROUNDS = 300;
const EXPAND_ROUNDS = 120;
const PRESENT: Moments = { asOf: undefined, knownAt: undefined };

export type Selection = { readonly kind: 'node' | 'link'; readonly id: string } | undefined;

export function GraphView({ brain, node, onNode }: Props) {
  if (node === null || node === '') return <ChooseNode onNode={onNode} />;
  return <LoadedGraph brain={brain} node={node} onNode={onNode} />;
}

function ChooseNode({ onNode }: Pick<Props, 'onNode'>) {
  const [id, setId] = useState('');
  return (
    <Empty title="Choose a node to look around.">
      <p>Take one of the hubs in the overview, or type the id of a document.</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (id !== '') onNode(id);
        }}
      >
        <Field label="Id of a document">
          {(field) => (
            <input id={field} value={id} onInput={(event) => setId(event.currentTarget.value)} />
          )}
        </Field>
        <div class="field">
          <button type="submit" class="primary">
            Look around it
          </button>
        </div>
      </form>
    </Empty>
  );
}

function LoadedGraph({ brain, node, onNode }: Props & { readonly node: string }) {
  const model = useMemo(() => new GraphModel(), []);
  const layout = useRef<Layout>(undefined);
  const [version, setVersion] = useState(0);
  const [isLoaded, setLoaded] = useState(false);
  const [hiddenByService, setHidden] = useState<EgoAnswer['not_shown']>();
  const [moments, setMoments] = useState(PRESENT);
  const [hiddenTypes, setHiddenTypes] = useState<ReadonlySet<string>>(new Set());
  const [selection, setSelection] = useState<Selection>({ kind: 'node', id: node });
  const wanted = useRef(node);
  const changed = (): void => setVersion((before) => before + 1);
  useEffect(() => {
    const created = new Layout(model);
    layout.current = created;
    return () => created.close();
  }, [model]);
  const grow = useAction(async () => {
    const id = wanted.current;
    const isFirst = model.nodes.size === 0;
    const params = { node: id, hops: isFirst ? 2 : 1, limit: LIMIT, include_expired: true };
    const ego = await call<EgoAnswer>('GET', path`/_graph/${brain}/ego`, undefined, { params });
    const merged = model.merge(ego, true);
    if (isFirst || ego.not_shown.links > 0) setHidden(ego.not_shown);
    setLoaded(true);
    if (merged.nodes + merged.links > 0)
      layout.current?.start(isFirst ? FIRST_ROUNDS : EXPAND_ROUNDS);
    announce(`${plural(merged.nodes, 'node')} and ${plural(merged.links, 'link')} more`);
    changed();
  });
  useEffect(grow.run, []);
  const expand = (id: string): void => {
    wanted.current = id;
    grow.run();
  };

  const moment: Moment = {
    world: moments.asOf ?? moments.knownAt ?? Date.now(),
    known: moments.knownAt ?? null,
  };
  const { drawing, counts, types } = useMemo(
    () => drawingOf(model, moment, hiddenTypes, selection),
    [model, version, moments, hiddenTypes, selection],
  );
  const span = useMemo(() => model.span(), [model, version]);
  const label = `Graph around ${node}: ${plural(model.nodes.size, 'node')}, ${plural(drawing.links.length, 'link')}`;
  const select = (kind: 'node' | 'link') => (id: string) => setSelection({ kind, id });
  return (
    <>
      {grow.error !== undefined && <ErrorBox error={grow.error} onRetry={grow.run} />}
      {grow.isRunning && <Progress label="Loading links" />}
      {isLoaded && model.links.size === 0 && (
        <Empty title="No link leads to or from this node.">
          <p>Assert one in the overview, or choose another node.</p>
        </Empty>
      )}
      {span !== undefined && (
        <TimeSliders
          first={span.first}
          last={Math.max(span.last, Date.now())}
          value={moments}
          onChange={setMoments}
        />
      )}
      <Legend types={types} hidden={hiddenTypes} onChange={setHiddenTypes} />
      <LeftOut model={model} counts={counts} byService={hiddenByService} />
      <div class="with-panel">
        <GraphCanvas
          drawing={drawing}
          label={label}
          version={version}
          fitVersion={node}
          glide={() => layout.current?.glide(model.nodes.values()) ?? false}
          onNode={select('node')}
          onLink={select('link')}
          onExpand={expand}
        />
        <aside class="panel" aria-label="Chosen">
          {selection?.kind === 'node' && (
            <NodePanel
              key={selection.id}
              brain={brain}
              node={model.nodes.get(selection.id)}
              id={selection.id}
              isGrowing={grow.isRunning}
              onExpand={expand}
              onCentre={onNode}
              onAsserted={() => expand(selection.id)}
            />
          )}
          {selection?.kind === 'link' && (
            <LinkPanel
              key={selection.id}
              brain={brain}
              link={model.links.get(selection.id)}
              moment={moment}
              titleOf={(id) => {
                const found = model.nodes.get(id);
                return found === undefined ? id : nameOf(found);
              }}
              onNode={select('node')}
              onRetired={(src) => expand(src)}
            />
          )}
        </aside>
      </div>
      <GraphTables
        drawing={drawing}
        model={model}
        onNode={select('node')}
        onLink={select('link')}
        onExpand={expand}
      />
    </>
  );
}

interface DrawnTypes {
  readonly type: string;
  readonly count: number;
  readonly color: number;
}

function drawingOf(
  model: GraphModel,
  moment: Moment,
  hiddenTypes: ReadonlySet<string>,
  selection: Selection,
): {
  readonly drawing: Drawing;
  readonly counts: Readonly<Record<string, number>>;
  readonly types: readonly DrawnTypes[];
} {
  // The most frequent types have a colour each, all others the last one.
  const types = model
    .types()
    .map(({ type, count }, at) => ({ type, count, color: Math.min(at, LINK_COLORS - 1) }));
  const colors = new Map(types.map(({ type, color }) => [type, color]));
  const counts: Record<string, number> = { retired: 0, future: 0, unknown: 0, type: 0 };
  const links: Drawing['links'][number][] = [];
  const linked = new Set<string>();
  for (const link of model.links.values()) {
    const state = stateAt(link, moment);
    if (state !== 'live') counts[state] = (counts[state] ?? 0) + 1;
    else if (hiddenTypes.has(link.type)) counts['type'] = (counts['type'] ?? 0) + 1;
    else {
      const from = model.nodes.get(link.src);
      const to = model.nodes.get(link.dst);
      if (from === undefined || to === undefined) continue;
      linked.add(link.src).add(link.dst);
      const strength = link.weight * link.confidence;
      links.push({ from, to, color: colors.get(link.type) ?? 0, strength, id: link.edge_id });
    }
  }
  const drawing: Drawing = {
    nodes: [...model.nodes.values()],
    links,
    selectedNode: selection?.kind === 'node' ? selection.id : undefined,
    selectedLink: selection?.kind === 'link' ? selection.id : undefined,
    isLinked: ({ id }) => linked.has(id) || selection?.id === id,
  };
  return { drawing, counts, types };
}

const MANY_TYPES = 30;

function Legend({
  types,
  hidden,
  onChange,
}: {
  readonly types: readonly DrawnTypes[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}) {
  if (types.length === 0) return null;
  return (
    <fieldset class="legend">
      <legend>Types of links</legend>
      {types.slice(0, MANY_TYPES).map(({ type, count, color }) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={!hidden.has(type)}
            onChange={(event) => {
              const next = new Set(hidden);
              if (event.currentTarget.checked) next.delete(type);
              else next.add(type);
              onChange(next);
            }}
          />
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`link-${color + 1}`} width="10" height="10" />
          </svg>
          <span>{type}</span> <span class="quiet">{countText(count)}</span>
        </label>
      ))}
      {types.length > MANY_TYPES && (
        <span class="quiet">{`${types.length - MANY_TYPES} more types are always shown`}</span>
      )}
    </fieldset>
  );
}

/** What is not shown, and why. */
function LeftOut({
  model,
  counts,
  byService,
}: {
  readonly model: GraphModel;
  readonly counts: Readonly<Record<string, number>>;
  readonly byService: EgoAnswer['not_shown'] | undefined;
}) {
  const beyond = byService?.reasons['limit'] ?? 0;
  const reasons = [
    [counts['retired'], 'retired by then'],
    [counts['future'], 'not yet true then'],
    [counts['unknown'], 'not yet known then'],
    [counts['type'], 'of hidden types'],
    [beyond, `weaker than the ${countText(LIMIT)} strongest around the last node`],
    [
      model.leftOut,
      `beyond the ${countText(MAX_NODES)} nodes and ${countText(MAX_LINKS)} links of this page`,
    ],
  ] as const;
  const said = reasons.flatMap(([count = 0, why]) =>
    count > 0 ? [`${countText(count)} ${why}`] : [],
  );
  if (byService?.exact === false)
    said.push('and some around the second hop, which were not counted');
  if (said.length === 0) return null;
  return <Notice>{`Links that are not shown: ${said.join(', ')}.`}</Notice>;
}
