// What is wrong is said first, each with its remedy, as `quarry doctor` says it.
import { call } from '../../kit/api.js';
import { durationText, plural } from '../../kit/format.js';
import { useLoad } from '../../kit/load.js';
import { Badge, ErrorBox, Notice, type NoticeKind } from '../../kit/messages.js';

interface Finding {
  readonly what: string;
  readonly state: 'good' | 'warning' | 'wrong';
  readonly found: string;
  readonly remedy?: string;
}

interface Health {
  readonly status: string;
  readonly uptime_s: number;
  readonly indices?: number;
  readonly damaged?: number;
}

const EVERY_MS = 15_000;

export function Readiness() {
  const { value, error } = useLoad(
    (signal) => call<Health>('GET', '/v1/health/ready', undefined, { signal }),
    [],
    { everyMs: EVERY_MS },
  );
  if (error !== undefined) {
    return (
      <Notice kind="wrong">
        <p>
          <strong>Not ready.</strong> {error.reason}
        </p>
        {error.remedy !== undefined && <p>{error.remedy}</p>}
      </Notice>
    );
  }
  if (value === undefined) return null;
  const isGood = value.status === 'ready' && (value.damaged ?? 0) === 0;
  return (
    <p>
      <Badge kind={isGood ? 'good' : 'warning'}>{value.status}</Badge>{' '}
      {`up for ${durationText(value.uptime_s * 1000)}, ${plural(value.indices ?? 0, 'index', 'indexes')}`}
      {(value.damaged ?? 0) > 0 && `, ${value.damaged} cannot be read`}
    </p>
  );
}

export function Findings() {
  const { value, error } = useLoad(
    (signal) =>
      call<{ readonly findings: readonly Finding[] }>('GET', '/v1/doctor', undefined, { signal }),
    [],
    { everyMs: EVERY_MS },
  );
  if (error !== undefined) {
    if (error.status === 401) return null;
    if (error.status === 403) {
      return <p class="quiet">The findings of the doctor need a key for all indexes.</p>;
    }
    return <ErrorBox error={error} />;
  }
  if (value === undefined) return null;
  const bad = value.findings.filter(({ state }) => state !== 'good');
  const good = value.findings.filter(({ state }) => state === 'good');
  return (
    <section aria-label="Findings">
      {[...bad]
        .sort((a, b) => rank(a) - rank(b))
        .map((finding) => (
          <Notice key={`${finding.what} ${finding.found}`} kind={finding.state}>
            <p>
              <Badge kind={finding.state}>{finding.state}</Badge> <strong>{finding.what}</strong>:{' '}
              {finding.found}
            </p>
            {finding.remedy !== undefined && <p>Remedy: {finding.remedy}</p>}
          </Notice>
        ))}
      <details>
        <summary>
          {bad.length === 0 ? 'Nothing is wrong. ' : ''}
          {plural(good.length, 'check')} passed
        </summary>
        <ul>
          {good.map(({ what, found }) => (
            <li key={`${what} ${found}`}>
              <strong>{what}</strong>: {found}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function rank({ state }: { readonly state: NoticeKind }): number {
  return state === 'wrong' ? 0 : 1;
}
