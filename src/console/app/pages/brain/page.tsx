// The links between documents: an overview of a brain, the graph around a node, and suggestions.
import { PageLink, replaceParams, route } from '../../kit/router.js';
import { Tabs } from '../../kit/tabs.js';
import { BrainList } from './brain-list.js';
import { GraphView } from './graph-view.js';
import { OverviewView } from './overview.js';
import { SuggestionsView } from './suggestions.js';

export function Content() {
  const [brain] = route.value.parts;
  if (brain === undefined || brain === '') return <BrainList />;
  return <BrainView key={brain} brain={brain} />;
}

function BrainView({ brain }: { readonly brain: string }) {
  const { params } = route.value;
  const node = params.get('node');
  const lookAround = (id: string): void => replaceParams({ node: id, tab: 'graph' });
  return (
    <>
      <div class="actions">
        <PageLink page="brain">All brains</PageLink>
        <h2 class="name">{brain}</h2>
      </div>
      <Tabs
        label="Views of the brain"
        current={params.get('tab') ?? (node === null ? 'overview' : 'graph')}
        onChange={(tab) => replaceParams({ tab })}
        tabs={[
          {
            name: 'overview',
            title: 'Overview',
            content: () => <OverviewView brain={brain} onNode={lookAround} />,
          },
          {
            name: 'graph',
            title: 'Graph',
            content: () => (
              <GraphView key={node ?? ''} brain={brain} node={node} onNode={lookAround} />
            ),
          },
          {
            name: 'suggestions',
            title: 'Suggestions',
            content: () => <SuggestionsView brain={brain} onNode={lookAround} />,
          },
        ]}
      />
    </>
  );
}
