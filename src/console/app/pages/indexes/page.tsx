// Indexes: the list of all, or one of them: `#/indexes/NAME?tab=mapping`.
import { useState } from 'preact/hooks';
import { IndexTable } from '../../data/index-table.js';
import { listIndexes } from '../../data/indexes.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { route } from '../../kit/router.js';
import { SampleNotice, SampleOffer } from '../../sample/offer.js';
import { CreateDialog } from './create-dialog.js';
import { IndexView } from './index-view.js';

export function Content() {
  const [name] = route.value.parts;
  return name === undefined || name === '' ? <IndexList /> : <IndexView key={name} name={name} />;
}

function IndexList() {
  const [isCreating, setCreating] = useState(false);
  const indexes = useLoad((signal) => listIndexes(signal), []);
  return (
    <>
      <SampleNotice />
      <div class="actions">
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create an index
        </button>
        <button type="button" onClick={indexes.reload}>
          Load again
        </button>
      </div>
      <LoadedView of={indexes} what="the list of indexes">
        {(rows) => <IndexTable rows={rows} empty={<SampleOffer onDone={indexes.reload} />} />}
      </LoadedView>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}
