// What was removed and what is left, as the service counted it afterwards.
import { Fragment } from 'preact';
import { countText } from '../../kit/format.js';
import { Notice } from '../../kit/messages.js';
import type { Receipt } from './types.js';

export function ReceiptView({ receipt: { removed, left } }: { readonly receipt: Receipt }) {
  const isClean = Object.values(left).every((count) => count === 0);
  return (
    <>
      <Notice kind={isClean ? 'good' : 'warning'}>
        {isClean ? 'Nothing of it is left.' : 'Something of it is left: see below.'}
      </Notice>
      <dl class="facts">
        {Object.entries(removed).map(([what, count]) => (
          <Fragment key={what}>
            <dt>{`Removed ${what}`}</dt>
            <dd>{countText(count)}</dd>
          </Fragment>
        ))}
        {Object.entries(left).map(([what, count]) => (
          <Fragment key={what}>
            <dt>{`Left ${what}`}</dt>
            <dd>{countText(count)}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
