// Running operations over many documents, with their progress, and the button that ends them.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { countText, durationText, timeText } from '../../kit/format.js';
import { CodeView } from '../../kit/json-view.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Badge, Empty, Progress } from '../../kit/messages.js';

interface Task {
  readonly node: string;
  readonly id: number;
  readonly action: string;
  readonly description?: string;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly start_time_in_millis: number;
  readonly running_time_in_nanos: number;
  readonly cancelled?: boolean;
}

const POLL_MS = 2000;
const DONE = ['created', 'updated', 'deleted', 'noops', 'version_conflicts'] as const;

export function TasksView() {
  const [ending, setEnding] = useState<Task>();
  const tasks = useLoad(
    (signal) =>
      call<{ readonly tasks: readonly Task[] }>('GET', '/_tasks', undefined, {
        signal,
        params: { detailed: true, group_by: 'none' },
      }),
    [],
    { everyMs: POLL_MS },
  );
  return (
    <>
      <LoadedView of={tasks} what="tasks">
        {(value) =>
          value.tasks.length === 0 ? (
            <NoTasks />
          ) : (
            value.tasks.map((task) => (
              <TaskView key={task.id} task={task} onEnd={() => setEnding(task)} />
            ))
          )
        }
      </LoadedView>
      {ending !== undefined && (
        <ConfirmDialog
          title="End the task"
          action="End it"
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await call('POST', path`/_tasks/${`${ending.node}:${ending.id}`}/_cancel`);
            announce('The task is ending');
            tasks.reload();
          }}
        >
          <p>{ending.description ?? ending.action}</p>
          <p>What it has done stays done; the rest is left as it is.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function TaskView({ task, onEnd }: { readonly task: Task; readonly onEnd: () => void }) {
  const { action, description, status = {}, id, node, cancelled } = task;
  const { start_time_in_millis, running_time_in_nanos } = task;
  const count = (name: string): number => Number(status[name] ?? 0);
  const done = DONE.reduce((sum, name) => sum + count(name), 0);
  const total = count('total');
  return (
    <section class="panel" aria-label={`Task ${id}`}>
      <h2>
        {action} {cancelled === true && <Badge kind="warning">ending</Badge>}
      </h2>
      <p>{description}</p>
      {total > 0 ? (
        <Progress
          label={`${countText(done)} of ${countText(total)} documents`}
          value={Math.min(1, done / total)}
        />
      ) : (
        <Progress label="Working" />
      )}
      <dl class="facts">
        <dt>Task</dt>
        <dd>
          <code>{`${node}:${id}`}</code>
        </dd>
        <dt>Started</dt>
        <dd>
          {timeText(start_time_in_millis)}, {durationText(running_time_in_nanos / 1e6)} ago
        </dd>
      </dl>
      <div class="actions">
        <button type="button" class="danger" disabled={cancelled === true} onClick={onEnd}>
          End the task
        </button>
      </div>
    </section>
  );
}

function NoTasks() {
  return (
    <Empty title="No task is running.">
      <p>
        Updates and deletions by query, reindexing and merges are tasks. Start one that is waited
        for here:
      </p>
      <CodeView
        label="A request that starts a task"
        text={`curl -X POST '${location.origin}/books/_update_by_query?wait_for_completion=false'`}
      />
    </Empty>
  );
}
