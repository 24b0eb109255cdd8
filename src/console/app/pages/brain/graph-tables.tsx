// The graph as tables, which say the same to those who do not see the canvas.

import { countText, numberText } from '../../kit/format.js';
import { Badge } from '../../kit/messages.js';
import { Table } from '../../kit/table.js';
import type { Drawing } from './graph-drawing.js';
import { type GraphModel, nameOf } from './graph-model.js';

export function GraphTables({
  drawing: { nodes, links },
  model,
  onNode,
  onLink,
  onExpand,
}: {
  readonly drawing: Drawing;
  readonly model: GraphModel;
  readonly onNode: (id: string) => void;
  readonly onLink: (id: string) => void;
  readonly onExpand: (id: string) => void;
}) {
  return (
    <>
      <details>
        <summary>{`The ${countText(nodes.length)} nodes as a table`}</summary>
        <Table
          caption="Nodes"
          rows={nodes}
          keyOf={({ id }) => id}
          filterBy={(node) => `${node.id} ${nameOf(node)}`}
          columns={[
            {
              title: 'Node',
              isHeader: true,
              sortBy: nameOf,
              cell: (node) => (
                <button type="button" class="link" onClick={() => onNode(node.id)}>
                  {nameOf(node)}
                </button>
              ),
            },
            {
              title: 'Links',
              isNumber: true,
              sortBy: ({ view }) => view.in + view.out,
              cell: ({ view }) => countText(view.in + view.out),
            },
            {
              title: 'Document',
              sortBy: ({ view }) => Number(view.exists),
              cell: ({ view }) => (view.exists ? 'there' : <Badge kind="warning">not there</Badge>),
            },
            {
              title: 'More',
              cell: ({ id, isExpanded }) =>
                isExpanded ? (
                  'all asked for'
                ) : (
                  <button type="button" aria-label={`Expand ${id}`} onClick={() => onExpand(id)}>
                    Expand
                  </button>
                ),
            },
          ]}
        />
      </details>
      <details>
        <summary>{`The ${countText(links.length)} links as a table`}</summary>
        <Table
          caption="Links"
          rows={links}
          keyOf={({ id }) => id}
          filterBy={({ from, to, id }) =>
            `${nameOf(from)} ${nameOf(to)} ${model.links.get(id)?.type}`
          }
          columns={[
            { title: 'From', sortBy: ({ from }) => nameOf(from), cell: ({ from }) => nameOf(from) },
            {
              title: 'Type',
              sortBy: ({ id }) => model.links.get(id)?.type,
              cell: ({ id }) => model.links.get(id)?.type,
            },
            { title: 'To', sortBy: ({ to }) => nameOf(to), cell: ({ to }) => nameOf(to) },
            {
              title: 'Strength',
              isNumber: true,
              sortBy: ({ strength }) => strength,
              cell: ({ strength }) => numberText(strength),
            },
            {
              title: 'Evidence',
              cell: ({ id, from, to }) => (
                <button
                  type="button"
                  aria-label={`Show the link from ${nameOf(from)} to ${nameOf(to)}`}
                  onClick={() => onLink(id)}
                >
                  Show
                </button>
              ),
            },
          ]}
        />
      </details>
    </>
  );
}
