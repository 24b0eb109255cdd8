// What operators look after: running tasks, slow searches, snapshots, keys and the configuration.
import { replaceParams, route } from '../../kit/router.js';
import { Tabs } from '../../kit/tabs.js';
import { ConfigurationView } from './configuration.js';
import { KeysView } from './keys.js';
import { SlowSearchesView } from './slow-searches.js';
import { SnapshotsView } from './snapshots.js';
import { TasksView } from './tasks.js';

export function Content() {
  return (
    <Tabs
      label="Operations"
      current={route.value.params.get('tab')}
      onChange={(tab) => replaceParams({ tab })}
      tabs={[
        { name: 'tasks', title: 'Tasks', content: () => <TasksView /> },
        { name: 'slow', title: 'Slow searches', content: () => <SlowSearchesView /> },
        { name: 'snapshots', title: 'Snapshots', content: () => <SnapshotsView /> },
        { name: 'keys', title: 'Keys', content: () => <KeysView /> },
        { name: 'configuration', title: 'Configuration', content: () => <ConfigurationView /> },
      ]}
    />
  );
}
