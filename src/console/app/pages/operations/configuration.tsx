// The configuration with where each value comes from.
import { useState } from 'preact/hooks';
import { call } from '../../kit/api.js';
import { countText } from '../../kit/format.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Badge } from '../../kit/messages.js';
import { Table } from '../../kit/table.js';

interface Setting {
  readonly value: string | number | boolean;
  readonly origin: 'default' | 'file' | 'environment' | 'flag' | 'cluster_setting';
  readonly default: string | number | boolean;
  readonly unit?: string;
  readonly reloadable: boolean;
  readonly environment: string;
  readonly about: string;
}

interface Configuration {
  readonly file: string | null;
  readonly settings: Readonly<Record<string, Setting>>;
}

export function ConfigurationView() {
  const [isChangedOnly, setChangedOnly] = useState(false);
  const configuration = useLoad(
    (signal) => call<Configuration>('GET', '/v1/configuration', undefined, { signal }),
    [],
  );
  return (
    <LoadedView of={configuration} what="the configuration">
      {({ file, settings }) => {
        const all = Object.entries(settings).map(([key, setting]) => ({ key, ...setting }));
        const changed = all.filter(({ origin }) => origin !== 'default');
        const origin = (one: Setting): string => {
          if (one.origin === 'file') return `file ${file ?? ''}`;
          if (one.origin === 'environment') return one.environment;
          return one.origin.replace('_', ' ');
        };
        return (
          <>
            <p class="quiet">
              {file === null ? 'No file was given.' : `The file is ${file}.`}{' '}
              {`${countText(changed.length)} of ${countText(all.length)} keys are not at their default.`}
            </p>
            <label class="check">
              <input
                type="checkbox"
                checked={isChangedOnly}
                onChange={(event) => setChangedOnly(event.currentTarget.checked)}
              />{' '}
              Only those that are not at their default
            </label>
            <Table
              caption="Configuration"
              rows={isChangedOnly ? changed : all}
              keyOf={({ key }) => key}
              filterBy={({ key, about }) => `${key} ${about}`}
              pageSize={100}
              columns={[
                {
                  title: 'Key',
                  isHeader: true,
                  sortBy: ({ key }) => key,
                  cell: ({ key }) => <code>{key}</code>,
                },
                { title: 'Value', cell: ({ value, unit }) => valueText(value, unit) },
                {
                  title: 'Comes from',
                  sortBy: origin,
                  cell: (one) => (
                    <Badge kind={one.origin === 'default' ? 'info' : 'good'}>{origin(one)}</Badge>
                  ),
                },
                { title: 'Default', cell: (one) => valueText(one.default, one.unit) },
                {
                  title: 'A change needs',
                  sortBy: ({ reloadable }) => (reloadable ? 'SIGHUP' : 'a restart'),
                  cell: ({ reloadable }) => (reloadable ? 'SIGHUP' : 'a restart'),
                },
                { title: 'What it is', cell: ({ about }) => about },
              ]}
            />
          </>
        );
      }}
    </LoadedView>
  );
}

function valueText(value: Setting['value'], unit: string | undefined): string {
  if (value === '') return 'none';
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
