// A tree of which every branch can be closed. Branches are native <details>, which the keyboard and
// screen readers know; the children of a closed branch are not built.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface TreeNode {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly children?: readonly TreeNode[];
}

/** Children of one branch that are shown at once. */
const MANY = 200;

export function Tree({
  label,
  nodes,
  openLevels = 2,
}: {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  /** Levels that are open at first. */
  readonly openLevels?: number;
}) {
  return (
    <section class="tree" aria-label={label}>
      <Branches nodes={nodes} openLevels={openLevels} />
    </section>
  );
}

function Branches({
  nodes,
  openLevels,
}: {
  readonly nodes: readonly TreeNode[];
  readonly openLevels: number;
}) {
  const [limit, setLimit] = useState(MANY);
  return (
    <ul>
      {nodes.slice(0, limit).map((node) => (
        <li key={node.key}>
          {node.children === undefined || node.children.length === 0 ? (
            <div class="leaf">{node.label}</div>
          ) : (
            <Branch node={node} openLevels={openLevels} />
          )}
        </li>
      ))}
      {nodes.length > limit && (
        <li>
          <button type="button" onClick={() => setLimit(limit + MANY)}>
            {`Show more (${nodes.length - limit} are not shown)`}
          </button>
        </li>
      )}
    </ul>
  );
}

function Branch({ node, openLevels }: { readonly node: TreeNode; readonly openLevels: number }) {
  const [isOpen, setOpen] = useState(openLevels > 0);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{node.label}</summary>
      {isOpen && <Branches nodes={node.children ?? []} openLevels={openLevels - 1} />}
    </details>
  );
}
