// Home: what is wrong, how the service does, and its indexes.
import { IndexTable } from '../../data/index-table.js';
import { listIndexes } from '../../data/indexes.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { SampleNotice, SampleOffer } from '../../sample/offer.js';
import { Findings, Readiness } from './findings.js';
import { LivePlots } from './live.js';

const EVERY_MS = 30_000;
/** A longer list is loaded once, because it costs the service as much as many searches. */
const MANY_INDEXES = 500;

export function Content() {
  const indexes = useLoad((signal) => listIndexes(signal), [], {
    everyMs: EVERY_MS,
    repeats: (rows) => rows.length <= MANY_INDEXES,
  });
  return (
    <>
      <Readiness />
      <SampleNotice />
      <Findings />
      <section aria-labelledby="home-now">
        <h2 id="home-now">Now</h2>
        <LivePlots />
      </section>
      <section aria-labelledby="home-indexes">
        <h2 id="home-indexes">Indexes</h2>
        <LoadedView of={indexes} what="the list of indexes">
          {(rows) => <IndexTable rows={rows} empty={<SampleOffer onDone={indexes.reload} />} />}
        </LoadedView>
      </section>
    </>
  );
}
