// A brain as a whole: numbers, the nodes with the most links, types, detectors and the timeline.
import { call, path } from '../../kit/api.js';
import { Bars } from '../../kit/bars.js';
import { TimeColumns } from '../../kit/columns.js';
import { countText, plural } from '../../kit/format.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Empty } from '../../kit/messages.js';
import { AssertForm } from './assert-form.js';
import type { OverviewAnswer } from './types.js';

const TOP = 20;

export function OverviewView({
  brain,
  onNode,
}: {
  readonly brain: string;
  readonly onNode: (id: string) => void;
}) {
  const overview = useLoad(
    (signal) =>
      call<OverviewAnswer>('GET', path`/_graph/${brain}/overview`, undefined, {
        signal,
        params: { top: TOP },
      }),
    [brain],
  );
  return (
    <>
      <LoadedView of={overview} what="the overview">
        {(value) =>
          value.exists ? (
            <Numbers value={value} onNode={onNode} />
          ) : (
            <Empty title="There is no such brain yet.">
              <p>Assert a link below, or store a memory of that name.</p>
            </Empty>
          )
        }
      </LoadedView>
      <details class="panel">
        <summary>Assert a link</summary>
        <AssertForm brain={brain} onAsserted={overview.reload} />
      </details>
    </>
  );
}

function Numbers({
  value: { links, nodes, hubs, types, detectors, timeline, not_shown },
  onNode,
}: {
  readonly value: OverviewAnswer;
  readonly onNode: (id: string) => void;
}) {
  const hidden = (count: number, what: string) =>
    count > 0 && <p class="quiet">{`${plural(count, what)} more are not shown.`}</p>;
  return (
    <>
      <div class="grid">
        <section class="panel">
          <h3>Links</h3>
          <dl class="facts">
            <dt>Live</dt>
            <dd>
              {countText(links.live)}: {countText(links.asserted)} asserted,{' '}
              {countText(links.detected)} detected
            </dd>
            <dt>Retired</dt>
            <dd>{countText(links.retired)}</dd>
            <dt>Not yet true</dt>
            <dd>{countText(links.future)}</dd>
          </dl>
        </section>
        <section class="panel">
          <h3>Nodes</h3>
          <dl class="facts">
            <dt>Documents</dt>
            <dd>{countText(nodes.total)}</dd>
            <dt>With links</dt>
            <dd>{countText(nodes.linked)}</dd>
            <dt>Without a link</dt>
            <dd>{countText(nodes.orphans)}</dd>
            <dt>Linked, without a document</dt>
            <dd>{countText(nodes.missing)}</dd>
          </dl>
        </section>
      </div>
      <section class="panel">
        <TimeColumns
          label={
            timeline.interval === null ? 'Timeline' : `Timeline, parts of ${timeline.interval}`
          }
          series={['created', 'retired']}
          columns={timeline.buckets.map(({ at, created, retired }) => ({
            at,
            values: [created, retired],
          }))}
        />
      </section>
      <div class="grid">
        <section class="panel">
          <h3>Hubs</h3>
          {hubs.length === 0 && <p class="quiet">No node has links.</p>}
          <Bars
            label="Nodes with the most links"
            items={hubs.map(({ id, title, degree }) => ({
              key: id,
              label: (
                <button type="button" class="link" onClick={() => onNode(id)}>
                  {title ?? id}
                </button>
              ),
              value: degree,
              text: countText(degree),
            }))}
          />
          {hidden(not_shown.hubs, 'node')}
        </section>
        <section class="panel">
          <h3>Types</h3>
          <Bars
            label="Types of links"
            items={types.map(({ type, live }) => ({
              key: type,
              label: type,
              value: live,
              text: countText(live),
            }))}
          />
          {hidden(not_shown.types, 'type')}
        </section>
        <section class="panel">
          <h3>Detectors</h3>
          {detectors.length === 0 && <p class="quiet">No link was detected.</p>}
          <Bars
            label="Links by detector"
            items={detectors.map(({ detector, links: count }) => ({
              key: detector,
              label: detector,
              value: count,
              text: countText(count),
            }))}
          />
          {hidden(not_shown.detectors, 'detector')}
        </section>
      </div>
    </>
  );
}
